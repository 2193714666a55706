import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import { judgedGates, logOf } from '../../support/judged-gates.ts';
import { floodMegabytes } from '../../support/patience.ts';
import { openPlace } from '../../support/place.ts';
import { endOf, iterationsOf, openStage, type Props, type Stage, WORK, WORKED } from '../../support/stage.ts';
import { openTerminal, terminalIsMissing } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const idles = turn(...ends('Not there yet.'));
const works = turn(bash(WORK), ...ends(CLAIM));

/** Does harm in the first iteration; in the second it is the normal gate of the stage. */
const once = (harm: string) => `if [ -e ../beside/harmed ]; then sh check.sh; else touch ../beside/harmed\n${harm}\nfi`;

/** One iteration in which the gate does harm, then a good one. It runs without a proof in a copy, because the gate uses a folder beside the repository. Afterwards the loop, the result of the gate and the files are normal. */
async function survive(stage: Stage, changed: readonly string[] = WORKED) {
  const run = await stage.run('-m', '2', '--proof', 'off');
  expect(run.code, run.stderr).toBe(0);
  expect(iterationsOf(run)).toEqual(['red', 'green']);
  expect(stage.after()).toEqual({ calls: 2, commits: 1, changed, processes: [] });
  const [[harmed] = []] = judgedGates(run);
  if (harmed === undefined) throw new Error('The gate was not judged.');
  return { run, harmed, told: stage.calls()[1]?.prompt ?? '' };
}

const openHarm = (harm: string, props: Props = {}) => openStage([idles, works], { gate: once(harm), ...props });

describe.concurrent('a guardrail that', () => {
  const harms: readonly (readonly [string, string, string])[] = [
    ['kills its process group', 'kill -9 0; sleep 600', 'failed: ended by SIGKILL.'],
    ['kills its process group by name', 'kill -9 -$$; sleep 600', 'failed: ended by SIGKILL.'],
    ['terminates its process group', 'kill -TERM 0; sleep 600', 'failed: ended by SIGTERM.'],
    ['closes its output', 'exec >&- 2>&-; echo unheard; exit 3', 'failed with exit code 3.'],
    ['reads empty standard input', 'cat; read answer; exit 4', 'failed with exit code 4.'],
    ['is not a command', '🙂', 'failed with exit code 127.'],
  ];
  it.each(deepRows('how a process may end is tested where it is run', harms, 1))('%s is red, and the loop goes on', async (_name, harm, says) => {
    await using stage = await openHarm(harm);
    expect((await survive(stage)).told).toContain(`" ${says}\n`);
  });

  const servers: readonly (readonly [string, string])[] = [
    ['in its own group', 'sleep 600 & echo $! > ../beside/left; exit 1'],
    ['in a session of its own', "setsid sh -c 'echo $$ > ../beside/left; exec sleep 600' & until [ -s ../beside/left ]; do sleep 0.05; done; exit 1"],
    [
      'that listens and hears no signal',
      `trap '' TERM INT HUP; node -e 'require("net").createServer().listen(0, "127.0.0.1", () => require("fs").writeFileSync("../beside/left", String(process.pid)))' & until [ -s ../beside/left ]; do sleep 0.05; done; exit 1`,
    ],
  ];
  it.each(deepRows('what a process may leave is tested where it is swept', servers, 1))(
    'leaves a server %s, holding its pipe, is not waited for, and the server is gone before the next guardrail',
    async (_name, harm) => {
      const isGone = '! grep -qs "^State:.[RS]" /proc/$(cat ../beside/left)/status';
      await using stage = await openHarm(harm, { settings: { guardrails: [{ command: once(harm) }, { command: isGone }] }, gate: null });
      const { run } = await survive(stage);
      expect(judgedGates(run).map((results) => results.map(({ green }) => green))).toEqual([
        [false, true],
        [true, true],
      ]);
    },
  );

  const limits: readonly (readonly [string, string, Props['settings']])[] = [
    ['its own timeout', 'sleep 600', { guardrails: [{ command: once('sleep 600'), timeout: '1s' }], guardrailTimeout: '1h' }],
    ['the timeout of all guardrails', 'sleep 600', { guardrails: [{ command: once('sleep 600') }], guardrailTimeout: '1s' }],
    [
      'its timeout although it ignores signals',
      'trap "" TERM INT HUP; sleep 600',
      { guardrails: [{ command: once("trap '' TERM INT HUP; sleep 600"), timeout: '1s' }] },
    ],
  ];
  it.each(deepRows('which timeout counts is a setting', limits, 2))('hangs is ended by %s', async (_name, harm, settings = {}) => {
    await using stage = await openHarm(harm, { settings, gate: null });
    const { harmed, told } = await survive(stage);
    expect(harmed.ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
    expect(told).toContain('" failed: timed out, still running after 1 s.\n');
  });

  it('prints NUL and bytes that are not text is read, and its log has the bytes', async () => {
    await using stage = await openHarm("printf 'a\\000b\\377\\376c'; exit 1");
    const { harmed, told } = await survive(stage);
    expect(told.endsWith('Output (truncated):\na\0b\ufffd\ufffdc')).toBe(true);
    expect(logOf(stage, harmed)).toEqual(Buffer.from([0x61, 0, 0x62, 0xff, 0xfe, 0x63]));
  });

  deepIt('how a process may end and print is tested where it is run')(
    'prints one line of 30 MB has it in its log, and its beginning in the prompt',
    async () => {
      await using stage = await openHarm("head -c 30000000 /dev/zero | tr '\\000' x; exit 1");
      const { harmed, told } = await survive(stage);
      expect(harmed.output_bytes).toBe(30_000_000);
      expect(logOf(stage, harmed)).toHaveLength(30_000_000);
      expect(told.endsWith(`Output (truncated):\n${'x'.repeat(5000)}... [truncated]`)).toBe(true);
    },
  );

  it('never stops printing is stopped at the output limit, and its log has that much', async () => {
    await using stage = await openHarm('yes', { settings: { maxAgentOutput: '1MB' } });
    const { harmed, told } = await survive(stage);
    expect(told).toContain('" failed: stopped, more than 1000000 bytes of output.\n');
    expect(logOf(stage, harmed)).toHaveLength(1_000_000);
  });

  it('replaces .ralph by a link still counts, as does the next one, and nothing is written through the link', async () => {
    const harm = 'mkdir ../beside/elsewhere; rm -r .ralph; ln -s ../beside/elsewhere .ralph; echo replaced; exit 1';
    await using stage = await openHarm(harm, { settings: { guardrails: [{ command: once(harm) }, { command: 'echo second; sh check.sh' }] }, gate: null });
    const { run } = await survive(stage, ['D .ralph/settings.json', '?? .ralph', ...WORKED]);
    const [first = [], second = []] = judgedGates(run);
    expect(first.map(({ output }) => output)).toEqual(['replaced\n', 'second\nwork.txt is not done\n']);
    expect([first[1], ...second].map((result) => result?.log)).toEqual(Array(3).fill(expect.stringMatching(/^\.git\/ralph\/runs\/[^/]+\/guardrail_00/)));
    expect(readdirSync(join(stage.repo.beside, 'elsewhere'))).toEqual([]);
  });
});

// As a separate process, which gets the signal.
describe.concurrent('a guardrail that attacks the loop', () => {
  it('and kills it: nothing is left running, and the run can be resumed', async () => {
    await using stage = await openHarm('sleep 600 & kill -9 $PPID; sleep 600');
    const killed = await endOf(stage.start('-m', '2', '--proof', 'off'));
    expect(killed.signal).toBe('SIGKILL');
    await until('all is gone', () => stage.processes().length === 0);
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(resumed.code, resumed.stderr).toBe(0);
    expect(iterationsOf(resumed)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('and terminates it: the guardrail may finish, and the run exits with 143', async () => {
    await using stage = await openHarm('kill -TERM $PPID; sleep 0.2; echo finished; exit 1');
    const run = await endOf(stage.start('-m', '2'));

    expect(run.code).toBe(143);
    expect(run.stderr).toContain('Received signal, shutting down...');
    expect(iterationsOf(run)).toEqual(['red']);
    expect(judgedGates(run)[0]?.[0]).toMatchObject({ ending: { kind: 'exited', code: 1 }, output: 'finished\n' });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });
});

describe('a guardrail that floods', () => {
  const floods: readonly (readonly [string, string, number])[] = [
    // Up to 64 MiB of a line are kept, in a doubling buffer and then as text. The memory is bounded by that for any line.
    ['without a single line end', "tr '\\000' x </dev/zero", 400_000],
    ['in lines', "yes 'a line of a flood'", 60_000],
  ];
  it.each(deepRows('lines are read as a single one is, and kept for a shorter time', floods, 1))(
    `prints ${floodMegabytes} MB %s into its log and not into the memory of the loop`,
    async (_name, flood, mostKb) => {
      const peak = 'grep VmHWM /proc/$PPID/status | tr -dc 0-9 >> ../beside/peak; echo >> ../beside/peak';
      const commands = [`${flood} | head -c 1000000`, peak, `${flood} | head -c ${floodMegabytes}000000`, `:; ${peak}`];
      await using stage = await openStage([idles], { settings: { guardrails: commands.map((command) => ({ command })) }, gate: null });
      // A separate process, so that its memory can be measured.
      const run = await endOf(stage.start('-m', '1'));
      const [beforeKb = 0, afterKb = 0] = readFileSync(join(stage.repo.beside, 'peak'), 'utf8').trim().split('\n').map(Number);

      expect(run.code, run.stderr).toBe(1);
      expect(judgedGates(run)[0]?.map(({ output_bytes }) => output_bytes)).toEqual([1e6, 0, floodMegabytes * 1e6, 0]);
      expect(beforeKb).toBeGreaterThan(10_000);
      expect(afterKb - beforeKb).toBeLessThan(mostKb);
    },
  );
});

describe.skipIf(terminalIsMissing())('a guardrail that asks the terminal', () => {
  it('finds no terminal, although the loop has one', async () => {
    await using place = await openPlace();
    const gate = 'echo question >/dev/tty && read answer </dev/tty; echo "no terminal: $?" > told; exit 1';
    using terminal = openTerminal(['run', '-p', 'a', '--agent', place.agent, '--guardrail', gate, '-m', '1'], place.path, place.beside);
    expect(await terminal.exitCode()).toBe(1);
    expect(readFileSync(join(place.path, 'told'), 'utf8')).toMatch(/^no terminal: [1-9]/);
    expect(terminal.screen()).not.toContain('question\r\n');
  });
});
