/** Sends a signal to one process. Refuses an invalid pid: 0 would be our own process group, including the test runner. */
export function killPid(pid: number | string | undefined, signal: NodeJS.Signals): void {
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 1) throw new Error(`"${pid}" is no process.`);
  process.kill(number, signal);
}
