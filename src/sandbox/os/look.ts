import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';

// Synchronous on purpose: every start asks hundreds of these questions, and promises would take longer than the answers.

/** The real path of something that exists; null otherwise. */
export function realPathOf(path: string): string | null {
  return orElse(null, () => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path)));
}

/** Empty when there is no such folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  return orElse([], () => readdirSync(folder, { withFileTypes: true }));
}

/** Empty when there is no such file. */
export function textOf(file: string): string {
  return orElse('', () => readFileSync(file, 'utf8'));
}

function orElse<T>(other: T, look: () => T): T {
  try {
    return look();
  } catch {
    return other;
  }
}
