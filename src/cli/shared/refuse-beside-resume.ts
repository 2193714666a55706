import { OperatorError } from '../../kit/pure/operator-error.ts';

/** What a run cannot take up again would be dropped without a word. */
export function refuseBesideResume(flags: object, task: string | null = null): void {
  const [flag] = Object.keys(flags).map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const other = task === null ? flag : 'a task';
  if (other === undefined) return;
  throw new OperatorError('usage', `cannot specify both --resume and ${other}`, {
    hint: `A run goes on with the settings it was started with; leave the ${task === null ? 'flag' : 'task'} out, or start a new run.`,
    exitCode: 2,
  });
}
