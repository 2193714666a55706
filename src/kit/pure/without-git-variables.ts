const LED_ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|COMMON_DIR|SHALLOW_FILE|GRAFT_FILE|NAMESPACE|[A-Z]+_PATHSPECS)$/;

/** A loop that is started from a git hook must not use the hook's index, repository or path settings. */
export function withoutGitVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LED_ELSEWHERE.test(name)));
}
