/** What a query finds, the same on both sides: any case, and any white space where it has some. Undefined: nothing to find. */
export function findPattern(query: string): RegExp | undefined {
  const words = query.trim().split(/\s+/);
  if (words[0] === undefined || words[0] === '') return undefined;
  return new RegExp(
    words.map(word => word.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`)).join(String.raw`\s+`),
    'giu',
  );
}
