/** Sends a signal to one process. What is no pid is refused: 0 would be our own group, and the test runner with it. */
export function killPid(pid: number | string | undefined, signal: NodeJS.Signals): void {
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 1) throw new Error(`"${pid}" is no process.`);
  process.kill(number, signal);
}
