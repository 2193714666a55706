/** The command that goes on with a run, whatever it was started with. */
export function howToResume(run: string): string {
  return `ralph runs resume ${run}`;
}
