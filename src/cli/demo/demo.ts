import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { capture } from '../../process/capture.ts';
import { io } from '../../process/io.ts';
import { startRun } from '../../recipes/run/start/start-run.ts';
import { plainScreen } from '../../report/console/recipe-screen.ts';
import { openConsole } from '../../report/terminal/console.ts';
import { openStderrWriter } from '../../report/terminal/stderr-writer.ts';
import { terminalLook } from '../../report/terminal/terminal-look.ts';
import type { Projection } from '../../runs/run-options.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { projectFiles } from './project-files.ts';

export async function demoCommand({ fast, keep }: { readonly fast?: boolean; readonly keep?: boolean }): Promise<number> {
  return await runDemo({ fast: fast === true, keep: keep === true });
}

export interface DemoOptions {
  /** No pauses for reading. */
  readonly fast: boolean;
  /** Keep the repository. */
  readonly keep: boolean;
}

const GUARDRAIL = 'node --test';
const PAUSE_MS = 220;

const PROMPT = `The tests in test/ say what parseDuration in src/duration.js has to do. Some of them fail.
Repair the module, one thing at a time; do not touch the tests.
When all of them pass, answer <response>DONE</response>.`;

const INTRODUCTION = `A scripted agent in a real loop: real git, real edits, real tests. No network.
Watch: it says DONE too early and the tests disagree; then it cheats, the tests are green, and Ralph still does not believe it.

`;

/** Shows a newcomer the whole idea: two claims that Ralph refuses, and one that it proves. */
export async function runDemo({ fast, keep }: DemoOptions): Promise<number> {
  await using project = await openDemoProject(environment(), keep);
  const screen = openStderrWriter();
  const console = openConsole({
    ...terminalLook(io().stderr),
    write: screen.write,
    quiet: false,
    verbose: false,
    secrets: [],
    runFolder: null,
    nowMs: Date.now,
    screen: plainScreen,
  });
  const recap = openRecap();
  screen.write(INTRODUCTION);
  const { outcome } = await startRun({
    cwd: project.path,
    prompt: { from: 'text', text: PROMPT },
    over: {
      maximumIterations: 5,
      agent: { command: agentCommand(), flags: [`--pause-ms ${fast ? 0 : PAUSE_MS}`], kind: 'stream-json' },
      guardrails: [{ command: GUARDRAIL }],
    },
    requireProof: true,
    projections: () => [console, recap],
    obeySignals: true,
    signal: new AbortController().signal,
  });
  if (outcome.signal === null) screen.write(closingWords(recap.lines(), await project.changes(), keep ? project.path : null));
  await screen.close();
  return outcome.exit_code;
}

/** Quoted, because the path may contain spaces and Ralph splits a command into words. */
function agentCommand(): string {
  return [process.execPath, packagePath('dist', 'cli', 'demo', 'agent.js')].map(shellQuote).join(' ');
}

function closingWords(recap: readonly string[], changes: string, keptAt: string | null): string {
  const place = keptAt === null ? 'The repository was removed; ralph demo --keep keeps it.' : `The repository is in ${keptAt}, the run in its .ralph/runs.`;
  return `
What happened
${recap.join('\n')}

${changes}
${place}
On your own repository, with your own agent:
  ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"
`;
}

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** Follows a run and summarises it in one line per iteration. */
export interface Recap extends Projection {
  lines(): readonly string[];
}

export function openRecap(): Recap {
  const closed: Closed[] = [];
  const deadGates = new Set<number>();
  return {
    onEvent({ body }) {
      if (body.type === 'proof.judged' && body.verdict === 'dead') deadGates.add(body.iteration);
      if (body.type === 'iteration.closed') closed.push(body);
    },
    lines: () => closed.map((each) => inWords(each, deadGates.has(each.iteration))),
  };
}

function inWords({ iteration, claim, result, accepted }: Closed, isGateDead: boolean): string {
  const said = claim === null ? 'the agent made no claim' : `the agent said ${claim.text}`;
  const judged = result === 'green' || isGateDead ? 'check green' : 'check red';
  const refused = isGateDead ? 'not believed: it stays green when tests fail' : 'not believed, told why';
  const meaning = accepted ? 'proven' : claim === null ? 'told why' : refused;
  return `  ${iteration}  ${said.padEnd(25)}${judged.padEnd(17)}${meaning}`;
}

/** A git repository with failing tests. Disposing removes it, unless it is to be kept. */
export interface DemoProject extends AsyncDisposable {
  readonly path: string;
  /** The changes since it was created, as `git diff --stat` prints them. */
  changes(): Promise<string>;
}

const TIMEOUT_MS = 60_000;

/** The operator's own git configuration must not apply: no hooks, no signing, no template. */
const GIT_CONFIG = ['user.name=Ralph demo', 'user.email=demo@localhost', 'commit.gpgsign=false', 'core.hooksPath=/dev/null', 'init.defaultBranch=main'];

export async function openDemoProject(env: Readonly<Record<string, string>>, keep: boolean): Promise<DemoProject> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'ralph-demo-')));
  const git = gitIn(path, env);
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
  try {
    await fill(path);
    await git('init', '--quiet', '--template=');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'A module, and tests that fail');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    path,
    changes: () => git('diff', '--stat', 'HEAD'),
    [Symbol.asyncDispose]: async () => (keep ? undefined : await remove()),
  };
}

async function fill(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(projectFiles)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

function gitIn(cwd: string, env: Readonly<Record<string, string>>): (...args: readonly string[]) => Promise<string> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const config = GIT_CONFIG.flatMap((setting) => ['-c', setting]);
  return async (...args) => {
    const { code, stdout, stderr } = await capture({ file: 'git', args: [...config, ...args], cwd, env: own, timeoutMs: TIMEOUT_MS });
    if (code === 0) return stdout;
    throw new OperatorError('demo-needs-git', `the demo could not make its repository: git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`, {
      hint: 'Install git, or repair it: `git --version` must work.',
      exitCode: 4,
    });
  };
}
