import { packagePath } from '../../kit/files/package-root.ts';
import { surroundings } from '../../process/surroundings.ts';
import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { startRun } from '../../recipes/run/start/start-run.ts';
import { openConsole } from '../../report/terminal/console.ts';
import { openScreen } from '../../report/terminal/screen.ts';
import { terminalLook } from '../../report/terminal/terminal-look.ts';
import { openDemoProject } from './project.ts';
import { openRecap } from './recap.ts';

export interface DemoOptions {
  /** Without the pauses that make it readable. */
  readonly fast: boolean;
  /** Leave the repository where it is. */
  readonly keep: boolean;
}

const GUARDRAIL = 'node --test';
const PAUSE_MS = 220;

const PROMPT = `The tests in test/ say what parseDuration in src/duration.js has to do. Some of them fail.
Repair the module, one thing at a time; do not touch the tests.
When all of them pass, answer <response>DONE</response>.`;

const INTRODUCTION = `A scripted agent in a real loop: real git, real edits, real tests. No network.
Watch: it says DONE too early, the tests disagree, the next prompt says why.

`;

/** The first thing a newcomer sees: a claim that is not believed, feedback that is, and a proof. */
export async function runDemo({ fast, keep }: DemoOptions): Promise<number> {
  await using project = await openDemoProject(environment(), keep);
  const screen = openScreen();
  const console = openConsole({
    ...terminalLook(surroundings().stderr),
    write: screen.write,
    quiet: false,
    verbose: false,
    secrets: [],
    runFolder: null,
    nowMs: Date.now,
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

/** Its path may have spaces, and a command is split into words. */
function agentCommand(): string {
  return [process.execPath, packagePath('dist', 'cli', 'demo', 'agent.js')].map(shellQuote).join(' ');
}

function closingWords(recap: readonly string[], changes: string, keptAt: string | null): string {
  const place =
    keptAt === null ? 'The repository is gone again; ralph demo --keep leaves it there.' : `The repository is in ${keptAt}, the run in its .ralph/runs.`;
  return `
What happened
${recap.join('\n')}

${changes}
${place}
On your own repository, with your own agent:
  ralph run --agent claude --guardrail "npm test" \\
    -p "Make the tests pass. When they do, answer <response>DONE</response>."
`;
}
