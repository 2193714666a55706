/** The register that says who has a task. Slashes in an id are written another way, so that no two plans and tasks can share one. */
export function registerName(planPath: string, task: string): string {
  return `task/${planPath}/${task.replaceAll('%', '%25').replaceAll('/', '%2F')}`;
}
