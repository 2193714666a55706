import { join } from 'node:path';
import { foldersIn } from '../../kit/files/folders-in.ts';

/** One agent process of a run, and the folder with what it said. */
export interface AttemptPlace {
  /** `<iteration>.<k>` */
  readonly attempt: string;
  readonly role: string;
  readonly folder: string;
}

/** Every attempt that has a folder, in the order in which they were made. */
export function attemptsIn(runFolder: string): readonly AttemptPlace[] {
  const iterations = join(runFolder, 'iterations');
  return numbered(iterations, /^(\d+)$/).flatMap(({ number: iteration, name }) =>
    numbered(join(iterations, name), /^(\d+)-([a-z]+)$/).map(({ number, name: attempt, rest }) => ({
      attempt: `${iteration}.${number}`,
      role: rest,
      folder: join(iterations, name, attempt),
    })),
  );
}

function numbered(folder: string, pattern: RegExp) {
  const found = foldersIn(folder).flatMap((name) => {
    const [, number, rest = ''] = pattern.exec(name) ?? [];
    return number === undefined ? [] : [{ number: Number(number), name, rest }];
  });
  return found.sort((one, other) => one.number - other.number);
}
