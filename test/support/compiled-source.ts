import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
} as const;
const IMPORTED = /^(?:import|export)\b[^'"]*?['"](\.[^'"]+)\.js['"]/gm;

/** Compiles files, named from the root of the repository, and all they import, for separate processes, because Node 20 cannot run TypeScript. */
export async function compileSource(folder: string, entries: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const waiting = [...entries];
  const seen = new Set(waiting);
  for (const file of waiting) {
    const { outputText } = ts.transpileModule(await readFile(join(root, file), 'utf8'), { compilerOptions });
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
    for (const [, imported] of outputText.matchAll(IMPORTED)) {
      const next = normalize(join(dirname(file), `${imported}.ts`));
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
}
