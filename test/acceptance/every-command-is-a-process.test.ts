import { describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../support/place.ts';
import { type RalphRun, ralph, startRalph } from '../support/ralph.ts';

/** Runs each command once as the shipped program, and checks that running it in the process that tests share gives the same. */
const COMMANDS: readonly (readonly [line: string, code: number, prints: { readonly stdout: RegExp; readonly stderr: RegExp }])[] = [
  ['--version', 0, { stdout: /^\d+\.\d+\.\d+\n$/, stderr: /^$/ }],
  ['--help', 0, { stdout: /^Usage: ralph/, stderr: /^$/ }],
  ['run --help', 0, { stdout: /^Usage: ralph run/, stderr: /^$/ }],
  ['run -p x --agent AGENT --guardrail true --json', 0, { stdout: /^\{.*\}\n$/, stderr: /^Ralph / }],
  ['loop x --agent AGENT --check false --max-iterations 1 --json', 1, { stdout: /^\{.*\}\n$/, stderr: /^Ralph / }],
  ['work --agent AGENT', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['task list', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['plan status', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['answer yes', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['supervise --project p --task t --agent AGENT --max-restarts 0 --json', 1, { stdout: /^\{.*\}\n$/, stderr: /./ }],
  ['job start', 4, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['runs list', 0, { stdout: /./, stderr: /^$/ }],
  ['bus discover', 1, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['init --yes --agent AGENT --dry-run', 0, { stdout: /^\{/, stderr: /./ }],
  ['config show', 0, { stdout: /./, stderr: /^$/ }],
  ['status', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['logs', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['verify', 2, { stdout: /^$/, stderr: /^error: .*\nhint: .*\n$/ }],
  ['guard explain sudo', 1, { stdout: /^Blocked\.\n/, stderr: /^$/ }],
  ['hook nobody', 2, { stdout: /^$/, stderr: /^ralph hook: there is no hook "nobody"/ }],
  ['worktree list', 0, { stdout: /./, stderr: /^$/ }],
  ['demo --fast', 0, { stdout: /^$/, stderr: /^A scripted agent in a real loop/ }],
  ['nothing-of-ours', 2, { stdout: /^$/, stderr: /^error: unknown command 'nothing-of-ours'\nhint: .*\n$/ }],
];

describe.concurrent.each(COMMANDS)('ralph %s', (line, code, { stdout, stderr }) => {
  it(`exits ${code} and prints the same, as a process and inside the shared one`, async () => {
    for (const how of [asProcess, ralph]) {
      await using place = await openGitPlace();
      const run = await how(wordsOf(line, place), whereOf(place));
      expect(run, run.stderr).toMatchObject({ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
    }
  });
});

const asProcess: typeof ralph = (args, where): Promise<RalphRun> => startRalph(args, where).ended;

const wordsOf = (line: string, { agent }: Place) => line.split(' ').map((word) => (word === 'AGENT' ? agent : word));

const whereOf = ({ path, beside }: Place) => ({ cwd: path, env: { HOME: beside, XDG_RUNTIME_DIR: beside } });
