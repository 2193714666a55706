import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunView } from '../../src/report/views/run-view.ts';
import { nameAuthor } from './committing-stage.ts';
import { type Crash, dieAt } from './dying-ralph.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RalphRun, type RunningRalph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';

/** A repository with an agent that needs two iterations and claims to be done in both, and a gate that is red at first. */
export interface CrashWorld extends AsyncDisposable {
  readonly runFolder: () => string;
  /** The built CLI, which kills itself; also when the run is resumed, if requested. */
  crash(crash: Crash): Promise<void>;
  /** The built CLI: a new run, or the last one again. */
  start(...resume: readonly '--resume'[]): RunningRalph;
  resume(): Promise<EndedRun>;
  /** The first agent or gate from now on hangs until it is released. */
  hang(what: Work): Promise<void>;
  release(what: Work): Promise<void>;
  /** What happened outside, in order: `agent 1.1`, `gate 1.1`, … */
  log(): readonly string[];
  /** The processes of this world that are still running, guardians included. */
  processes(): readonly FoundProcess[];
  git(...args: readonly string[]): string;
}

type Work = 'agent' | 'gate';

export interface EndedRun extends RalphRun {
  readonly result: (RunView & { readonly run_folder: string }) | null;
}

export const COST_USD = 0.25;

/** It is safe to run again, and each call writes one line outside of the repository. */
const AGENT = `#!/bin/sh
here=$(dirname "$0")
attempt=\${RALPH_MARKER##*/}
case "$(cat)" in *'commit message'*) what=message said="Take step \${attempt%.*}" ;; *) what=agent said=DONE ;; esac
echo "$what $attempt" >>"$here/log"
mv "$here/hang-agent" "$here/agent-hangs" 2>/dev/null && while [ -e "$here/agent-hangs" ]; do sleep 0.05; done
[ $what = message ] || echo done >"step-\${attempt%.*}.txt"
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"<response>'"$said"'</response>"}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"<response>'"$said"'</response>","total_cost_usd":${COST_USD},"usage":{"input_tokens":10,"output_tokens":5}}'
`;

const GATE = `here=$(dirname "$0")
echo "gate \${RALPH_MARKER##*/}" >>"$here/log"
mv "$here/hang-gate" "$here/gate-hangs" 2>/dev/null && while [ -e "$here/gate-hangs" ]; do sleep 0.05; done
test -f step-2.txt || { echo 'step 2 is missing'; exit 1; }
`;

interface CrashProps {
  /** What is green is committed and pushed to a repository beside. */
  readonly commits?: boolean;
  /** A loop with all proofs, whose first agent changes protected paths. */
  readonly loop?: boolean;
  /** What its command line has besides. */
  readonly flags?: readonly string[];
  readonly settings?: object;
}

export async function openCrashWorld({ commits = false, loop = false, flags = [], settings = {} }: CrashProps = {}): Promise<CrashWorld> {
  const repo = await openRepo({ ...(loop ? LOOP_FILES : { 'readme.txt': 'hello\n' }), '.ralph/settings.json': JSON.stringify(settings) });
  if (commits) await prepareCommits(repo);
  if (loop) nameAuthor(repo);
  const agent = join(repo.beside, 'agent.sh');
  const gate = `sh ${join(repo.beside, 'gate.sh')}`;
  await writeFile(agent, loop ? CHEATER + AGENT.replace('said=DONE', 'said=COMPLETE').replaceAll(/<\/?response>/g, '') : AGENT, { mode: 0o755 });
  await writeFile(join(repo.beside, 'gate.sh'), GATE);
  const env = { XDG_RUNTIME_DIR: repo.beside };
  const where = { cwd: repo.path, env };
  const task = loop ? loopTask(agent) : ['-p', 'Do the work.', '--agent', agent, '--agent-kind', 'stream-json', '--guardrail', gate];
  const runs = join(repo.path, '.git', 'ralph', 'runs');
  const runIds = () => (existsSync(runs) ? readdirSync(runs).filter((name) => !name.includes('.lock')) : []);
  const started: ChildProcess[] = [];
  const words = (...resume: readonly '--resume'[]) => [loop ? 'loop' : 'run', ...(resume.length > 0 ? resume : [...task, ...flags]), '--json'];
  const start = (...resume: readonly '--resume'[]) => {
    const running = startRalph(words(...resume), where);
    started.push(running.child);
    return running;
  };
  return {
    runFolder: () => join(runs, runIds().sort().at(-1) ?? ''),
    crash: (crash) => dieAt(crash, words(...(crash.resume ? (['--resume'] as const) : [])), { ...where, onStart: (child) => void started.push(child) }),
    start,
    resume: async () => endedRun(await start('--resume').ended),
    hang: (what) => writeFile(join(repo.beside, `hang-${what}`), ''),
    release: (what) => rm(join(repo.beside, `${what}-hangs`)),
    log: () => linesOf(join(repo.beside, 'log')),
    git: repo.git,
    processes: () => processesOf(repo.beside, repo.path, ...runIds()),
    async [Symbol.asyncDispose]() {
      // Their guardians end whatever they had started.
      for (const child of started) child.kill('SIGKILL');
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** The check is protected too. */
export const LOOP_FILES = { 'check.sh': "test -f step-2.txt || { echo 'step 2 is missing'; exit 1; }\n" };
const CHEATER = '#!/bin/sh\ncase "$RALPH_MARKER" in */1.*) echo true >check.sh ;; esac\n';

const loopTask = (agent: string) => [
  ...['Do the work.', '--agent', agent, '--agent-kind', 'stream-json', '--check', 'sh check.sh'],
  ...['--protect', 'check.sh', '--verify', 'clean', '--commit'],
];

const SCM = { command: 'git', tasks: ['commit', 'push'] };

async function prepareCommits(repo: Repo): Promise<void> {
  const remote = join(repo.beside, 'remote.git');
  repo.git('init', '-q', '--bare', '-b', 'main', remote);
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', '-u', 'origin', 'main');
  repo.git('config', 'user.name', 't');
  repo.git('config', 'user.email', 't@example.com');
  await repo.write('.ralph/settings.json', JSON.stringify({ scm: SCM }));
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'settings');
}

/** The lines of a file, also while its last one is torn; none when there is no file. */
export function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

export function endedRun(run: RalphRun): EndedRun {
  return { ...run, result: run.stdout.startsWith('{') ? JSON.parse(run.stdout) : null };
}
