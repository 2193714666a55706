import { mkdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { endingText } from '../../journal/ending-text.ts';
import { openScope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { mostInformativeLine } from '../../kit/pure/text.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';
import type { Git } from '../git/git-command.ts';
import { exclude } from '../git-exclude.ts';

export interface SetupRequest {
  readonly command: string;
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox around it; absent: none. */
  readonly wall?: SandboxPort;
  readonly logFile: string;
  /** Marks everything that the command starts, so that nothing outlives this process. */
  readonly marker: string;
}

const KEEP_CHARS = 4_000;
const MOST_BYTES = 100 * 1024 * 1024;

/** Runs the operator's command in a new worktree; throws, naming the log, unless it exits 0. */
export async function runSetup({ command, env, wall, marker, ...request }: SetupRequest, signal: AbortSignal): Promise<void> {
  await using scope = openScope();
  await mkdir(dirname(request.logFile), { recursive: true, mode: 0o700 });
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const shell = openShell({ env, ...(wall && { wall }), mask: openMask(environment()).openStream, guardian: { ...guardian, reportLeft: () => undefined } });
  const asked = { ...request, command, marker: `${marker}/setup`, maxOutputBytes: MOST_BYTES, keepChars: KEEP_CHARS, keep: 'end', digest: false } as const;
  const { ending, output } = await shell.run(asked, signal);
  signal.throwIfAborted();
  if (ending.kind === 'exited' && ending.code === 0) return;
  const said = mostInformativeLine(output);
  throw new OperatorError('worktree-setup-failed', `the setup of the worktree failed (${endingText(ending)})${said === '' ? '' : `: ${said}`}`, {
    hint: `All it said is in ${request.logFile}; the command is worktree.setup of the settings.`,
    exitCode: 4,
  });
}

interface Places {
  /** Git at the top of the operator's work tree, and of the new one. */
  readonly here: Git;
  readonly there: Git;
  readonly commonDir: string;
}

/**
 * The loop must not commit what it brought along: a `.env` is a secret, and a pattern that ends with a slash does not match a link named `node_modules`. What
 * git does not ignore yet is added to the repository's own exclude file.
 */
export async function keepOutOfCommits(paths: readonly string[], places: Places, warn: (text: string) => void): Promise<void> {
  for (const path of paths) {
    const isIgnored = (git: Git) => ignores(git, path);
    if (await isIgnored(places.there)) continue;
    const wasIgnored = await isIgnored(places.here);
    await exclude([patternOf(path)], 'comes along into worktrees of ralph', places.commonDir);
    if (!(await isIgnored(places.there))) throw wouldBeCommitted(path);
    if (!wasIgnored) warn(`${path} was not ignored by git; it is now (.git/info/exclude), so that no run commits it`);
  }
}

async function ignores(git: Git, path: string): Promise<boolean> {
  return (await git(['check-ignore', '--quiet', '--', `./${path}`])).code === 0;
}

/** A pattern for exactly this path, whatever characters it has. */
function patternOf(path: string): string {
  const escaped = path
    .split(sep)
    .join('/')
    .replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}`;
}

function wouldBeCommitted(path: string): OperatorError {
  return new OperatorError('worktree-path', `${path} comes along into the worktree, but git does not ignore it, so it would be committed there`, {
    hint: 'Add it to .gitignore and commit that, or leave it out of worktree.copy and worktree.link.',
    exitCode: 2,
  });
}
