import type { SandboxRefusal } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import type { DockerCli, Variables } from './docker-cli.ts';

export interface DockerSandboxOptions {
  readonly cli: DockerCli;
  /** The folder that the sandbox shares with the host. Its path names the sandbox. */
  readonly project: string;
  /** project: the top of the operator's work tree. copies: a folder with copies of it; no git of the host opens these. */
  readonly shares: 'project' | 'copies';
  /** Other folders that commands may work in, such as those of worktrees and tasks. Ralph creates missing ones, since a sandbox gets its folders only once. */
  readonly extraPaths: readonly string[];
  /**
   * Paths below those folders that commands may read but not write, because git and Ralph obey them. A path that does not exist when the sandbox is created is
   * left out.
   */
  readonly readOnlyPaths: readonly string[];
  readonly agentKind: string;
  /** All hosts that may be reached, including the model's. Docker matches `*.host` for one level of names only. */
  readonly hosts: readonly string[];
  /** The operator's home. Agents' logins are kept in its `.dclaude_state`. */
  readonly home: string;
  /** The single-file hook entry. It has the same path inside the sandbox. */
  readonly hookEntry: string;
  /** The environment of the loop, for Docker's command line itself. */
  readonly env: Variables;
  /** True when no other run has commands in the same sandbox, so that it may be stopped and started. False for a child of a run that has some. */
  readonly alone: boolean;
  readonly warn: (text: string) => void;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  readonly settleMs?: number;
}

export const commandOf = (cli: DockerCli): string => [cli.file, ...cli.prefix].join(' ');

/** The sandbox is not available. A run that asks for it stops. */
export function unavailable(what: string, hint: string): OperatorError {
  return new OperatorError('sandbox-unavailable', what, { hint, exitCode: 4 });
}

/** A command of Docker's failed. The error quotes what Docker said. */
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
