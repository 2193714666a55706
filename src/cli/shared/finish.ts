/** Told the exit code of the command that ran. */
export type Finish = (exitCode: number) => void;
