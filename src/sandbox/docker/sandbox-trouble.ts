import type { Captured } from '../../process/capture.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { DockerCli } from './docker-cli.ts';

export const commandOf = (cli: DockerCli): string => [cli.file, ...cli.prefix].join(' ');

/** The wall cannot be had. A run that was told to have it does not go on without it. */
export function unavailable(what: string, hint: string): OperatorError {
  return new OperatorError('sandbox-unavailable', what, { hint, exitCode: 4 });
}

/** A command of Docker's that had to work and did not. What it says itself tells most. */
export function dockerFailed(cli: DockerCli, doing: string, said: Pick<Captured, 'stdout' | 'stderr' | 'started'>): OperatorError {
  const words = `${said.stderr}\n${said.stdout}`;
  const last = lastLine(said.stderr) || lastLine(said.stdout) || 'it ended without a word';
  return unavailable(`The Docker sandbox cannot be used: ${doing} failed: ${oneLine(last)}`, hintFor(cli, words, said.started));
}

const NOT_SIGNED_IN = /not (signed|logged) in|not authenticated|authentication required|unauthorized|(sbx|docker) login/i;
const NO_ENGINE = /cannot connect|connection refused|daemon|engine|docker desktop|socket|took longer than/i;

function hintFor(cli: DockerCli, words: string, started: boolean): string {
  const command = commandOf(cli);
  if (!started) return `"${cli.file}" is no longer there. Install it again, or use --no-sandbox.`;
  if (NOT_SIGNED_IN.test(words)) return cli.flavour === 'sbx' ? 'Sign in with "sbx login".' : 'Sign in with "docker login".';
  if (NO_ENGINE.test(words)) return `Does "${command} ls" answer? ${cli.flavour === 'sbx' ? 'Try "sbx daemon start".' : 'Start Docker Desktop.'}`;
  return `See what "${command} ls" says, or use --no-sandbox.`;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';
