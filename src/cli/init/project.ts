import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../kit/files/read-text.ts';

/** What lies at the top of a project: the names of its files, and the text of those that say how it is checked. */
export interface Project {
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

const TELLING = ['package.json', 'GNUmakefile', 'makefile', 'Makefile', 'pyproject.toml'];

/** Only looks. What cannot be read tells nothing. */
export async function readProject(cwd: string): Promise<Project> {
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name));
  const texts = new Map<string, string>();
  for (const name of TELLING.filter((one) => names.has(one))) {
    const read = await readText(join(cwd, name), 'refuse pipes');
    if (read.kind === 'text') texts.set(name, read.text);
  }
  return { names, texts };
}
