import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { compileKit } from './compiled-kit.ts';

const source = join(import.meta.dirname, '../../src');
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
} as const;

/** Compiles the file bus into the folder, for processes of their own, and gives the path of the module that opens one. */
export async function compileBus(folder: string): Promise<string> {
  await compileKit(folder);
  const names = (await readdir(join(source, 'adapters/bus'))).filter((name) => !name.endsWith('.test.ts'));
  for (const file of [...names.map((name) => `adapters/bus/${name}`), 'model/operator-error.ts']) {
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, ts.transpileModule(await readFile(join(source, file), 'utf8'), { compilerOptions }).outputText);
  }
  return join(folder, 'adapters/bus/file-bus.js');
}
