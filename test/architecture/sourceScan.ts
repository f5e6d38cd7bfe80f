import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One import of a module, as it stands in the source: also those that leave no trace in the bundle. */
export interface SourceImport {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Every TypeScript file below a folder. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort();
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
}

export function importsOf(file: string): SourceImport[] {
  const source = parse(file);
  const found: SourceImport[] = [];
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ file, line, specifier: specifier.text, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node, node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node))
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isCallExpression(node) && isModuleLoad(node.expression)) add(node, node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isModuleLoad(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === 'require');
}

/**
 * The ids of all commands the source registers: those of the table `commandIds`, and those written into a call of
 * `registerCommand` directly.
 */
export function commandsRegisteredInSource(folder: string): Set<string> {
  const ids = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === 'commandIds')
      collectStrings(node.initializer, ids);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [id] = node.arguments;
      if (/^register(TextEditor)?Command$/.test(node.expression.name.text) && id && ts.isStringLiteralLike(id))
        ids.add(id.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of sourceFiles(folder)) visit(parse(file));
  return ids;
}

function collectStrings(node: ts.Node | undefined, into: Set<string>): void {
  if (!node) return;
  if (ts.isStringLiteralLike(node)) into.add(node.text);
  ts.forEachChild(node, child => collectStrings(child, into));
}
