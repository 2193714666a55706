import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';

// Asked at once, not by promises: before every start there are hundreds of these questions, which take longer to hand out than to answer.

/** The real path of what is there. */
export function realPathOf(path: string): string | null {
  return orElse(null, () => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path)));
}

/** Empty where there is no such folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  return orElse([], () => readdirSync(folder, { withFileTypes: true }));
}

/** Empty where there is no such file. */
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
