import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { readRegular } from '../../kit/files/read-regular.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** Beside a justfile that is somebody's own. */
const BESIDE = 'ralph.just';

export interface JustWish {
  readonly force: boolean;
  readonly dryRun: boolean;
}

export interface JustAnswer {
  /** What holds the recipes, from the directory. */
  readonly file: string;
  /** False where the file had them already, and where nothing was to be written. */
  readonly written: boolean;
  readonly text: string;
  /** The line their own justfile needs; null: it needs none. */
  readonly importLine: { readonly line: string; readonly into: string } | null;
}

/** Puts the recipes into a new justfile. One that is there is replaced only by force: the recipes come to lie beside it, for it to import. */
export async function writeJustfile(cwd: string, { force, dryRun }: JustWish): Promise<JustAnswer> {
  const text = await readFile(packagePath('templates', 'justfile'), 'utf8');
  const theirs = await justfileIn(cwd);
  const isTheirs = theirs !== null && !force && readRegular(join(cwd, theirs)) !== text;
  const file = isTheirs ? BESIDE : (theirs ?? 'justfile');
  const written = await put(join(cwd, file), { text, force, dryRun });
  return { file, written, text, importLine: isTheirs ? importLine(cwd, theirs) : null };
}

/** As `just` looks for it: in any case, also hidden. */
async function justfileIn(cwd: string): Promise<string | null> {
  const names = await readdir(cwd).catch(() => []);
  return names.sort().find((name) => /^\.?justfile$/i.test(name)) ?? null;
}

function importLine(cwd: string, into: string): JustAnswer['importLine'] {
  const imports = /^import\??\s+['"](?:\.\/)?ralph\.just['"]/m;
  return imports.test(readRegular(join(cwd, into)) ?? '') ? null : { line: `import '${BESIDE}'`, into };
}

async function put(path: string, { text, force, dryRun }: JustWish & { readonly text: string }): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw notWritten(path, 'it is there and is no file', 'Move it away and try again.');
  if (found !== null && readRegular(path) === text) return false;
  if (found !== null && !force) throw notWritten(path, 'it is there already, with other recipes', 'Remove it to get those of this ralph.');
  if (dryRun) return false;
  try {
    await writeAtomic(path, text, 0o644);
    return true;
  } catch (cause) {
    // The rest names a temporary file.
    const [reason = ''] = (cause as Error).message.split(',');
    throw notWritten(path, reason, 'Check the permissions of this directory and the room on its disk.', cause);
  }
}

function notWritten(path: string, why: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('justfile-not-written', `cannot write ${path}: ${why}`, { hint, exitCode: 2, cause });
}
