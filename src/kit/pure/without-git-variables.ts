const LED_ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|COMMON_DIR|SHALLOW_FILE|GRAFT_FILE|NAMESPACE|[A-Z]+_PATHSPECS)$/;

/** A loop started from a git hook must not write into the hook's index or repository, nor have its paths read in another way. */
export function withoutGitVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LED_ELSEWHERE.test(name)));
}
