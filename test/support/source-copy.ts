import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openThrowAwayFolder } from './throw-away-folder.ts';

const root = join(import.meta.dirname, '../..');

/** A copy of the program's source, in which a test adds something. All paths are relative to the root of the repository. */
export interface SourceCopy extends AsyncDisposable {
  readonly path: string;
  /** The existing files that were changed. */
  readonly changed: ReadonlySet<string>;
  add(file: string, text: string): Promise<void>;
  /** Replaces texts in an existing file. Each must be there exactly once. */
  change(file: string, replacements: readonly (readonly [old: string, by: string])[]): Promise<void>;
  /** Bundles the program. Returns the path of its `main.js`. */
  bundle(): Promise<string>;
}

export async function openSourceCopy(): Promise<SourceCopy> {
  const folder = await openThrowAwayFolder();
  const changed = new Set<string>();
  const at = (file: string) => join(folder.path, file);
  await cp(join(root, 'src'), at('src'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
  for (const file of ['package.json', 'tsconfig.json', 'LICENSE']) await cp(join(root, file), at(file));
  for (const shared of ['node_modules', 'templates', 'plugin']) await symlink(join(root, shared), at(shared), 'dir');
  return {
    path: folder.path,
    changed,
    async add(file, text) {
      await mkdir(dirname(at(file)), { recursive: true });
      await writeFile(at(file), text, { flag: 'wx' });
    },
    async change(file, replacements) {
      changed.add(file);
      let text = await readFile(at(file), 'utf8');
      for (const [old, by] of replacements) {
        if (text.split(old).length !== 2) throw new Error(`${file} does not have exactly one: ${old}`);
        text = text.replace(old, () => by);
      }
      await writeFile(at(file), text);
    },
    async bundle() {
      const { bundleProgram } = await import(pathToFileURL(join(root, 'scripts/bundle-program.mjs')).href);
      await bundleProgram(folder.path, at('dist'));
      return at('dist/cli/main.js');
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
