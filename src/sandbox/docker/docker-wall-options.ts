import type { WallRefusal } from '../../engine/ports/wall.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import type { DockerCli, Variables } from './docker-cli.ts';

export interface DockerWallOptions {
  readonly cli: DockerCli;
  /** The top of the work tree the run was started in. Its path names the sandbox. */
  readonly project: string;
  /** What else commands may work in: the folder of the worktrees, the folder of the task. Made if it is missing, since a sandbox gets its folders once. */
  readonly extraPaths: readonly string[];
  /** Below those, what may be seen and not written: what git and the loop believe. What is missing when the sandbox is made is left out. */
  readonly readOnlyPaths: readonly string[];
  readonly agentKind: string;
  /** All that may be reached, the model's hosts too. Docker takes `*.host` for one level of names only. */
  readonly hosts: readonly string[];
  /** Of the operator. The agents' login is kept in `.dclaude_state` there. */
  readonly home: string;
  /** The single-file hook entry. It lies at the same path inside. */
  readonly hookEntry: string;
  /** Of the loop: what Docker's command line itself is run with. */
  readonly env: Variables;
  /** No other run has commands in the same sandbox: it may be stopped and started. False for the child of a run that has. */
  readonly alone: boolean;
  readonly warn: (text: string) => void;
  readonly onRefused: (refusal: WallRefusal) => void;
  readonly settleMs?: number;
}

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
