import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const source = join(import.meta.dirname, '../../src/kit');
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
} as const;

/** Compiles src/kit into the folder, so that a real process of its own can run it: Node 20 reads no TypeScript. */
export async function compileKit(folder: string): Promise<string> {
  const kit = join(folder, 'kit');
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  for (const file of files) {
    const target = join(kit, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, ts.transpileModule(await readFile(join(source, file), 'utf8'), { compilerOptions }).outputText);
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  return kit;
}
