/** Several texts of the composer as one, in their order. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter(text => text.trim() !== '').join('\n\n');
}
