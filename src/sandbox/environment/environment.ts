import { io } from '../../process/io.ts';

/** The environment variables of the current command. */
export function environment(): Record<string, string> {
  const entries = Object.entries(io().env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Set for a process that has its own git. */
export const OWN_GIT = 'RALPH_OWN_GIT';

const LED_ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|COMMON_DIR|SHALLOW_FILE|GRAFT_FILE|NAMESPACE|[A-Z]+_PATHSPECS)$/;

/** A loop that is started from a git hook must not use the hook's index, repository or path settings. */
export function withoutGitVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LED_ELSEWHERE.test(name)));
}
