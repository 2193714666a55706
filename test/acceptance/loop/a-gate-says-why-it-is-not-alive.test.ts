import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { finishes, type LoopStage, openLoopStage, receiptOf } from '../../support/loop-stage.ts';
import { type EndedRun, openStage } from '../../support/stage.ts';

const pkg = { 'package.json': '{ "name": "x", "type": "module", "scripts": { "test": "node --test" } }\n' };
const TEST =
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n";
const wrong = { ...pkg, 'src/add.js': 'export const add = (a, b) => a - b;\n', 'test/add.test.js': TEST };
const MENDS = "sed -i 's/a - b/a + b/' src/add.js";
const mends = finishes(MENDS);
const TO_BE_HAD = 'The best proof this run can have: green, because no planted failure shows in the check';

const openRun = (guardrails: readonly object[]) => openStage([turn(bash(MENDS), ...ends(CLAIM))], { files: wrong, gate: null, settings: { guardrails } });
const open = (gate: string, settings: object = {}, files: Readonly<Record<string, string>> = wrong) => openLoopStage([mends], { files, gate, settings });

/** The reasons in the receipt of a loop that ended well. */
async function reasonsOf(stage: LoopStage, ...more: readonly string[]): Promise<{ readonly run: EndedRun; readonly why: readonly (string | undefined)[] }> {
  const run = await stage.loop(...more);
  expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
  return { run, why: receiptOf(run).proof?.checks.map(({ why }) => why) ?? [] };
}

describe.concurrent('a gate that is not shown to be alive', () => {
  it.each([
    [
      'has an unknown runner',
      'grep -q "a + b" src/add.js',
      'runs no test runner that Ralph knows: not shown to be alive (add a check that starts your tests; ralph gates shows what a check leads to)',
    ],
    [
      'prints nothing',
      'node --test > /dev/null 2>&1',
      'goes red, but shows none of the planted failures: not shown to be alive (it prints nothing: let it print which test fails)',
    ],
  ])('says so at the start, at the claim and in the receipt if it %s', async (_, gate, reason) => {
    await using stage = await open(gate);
    const { run, why } = await reasonsOf(stage);
    expect(why).toEqual([reason]);
    expect(run.stderr.split(`${gate} ${reason}`)).toHaveLength(3);
    expect(run.stderr).toContain(`\n${TO_BE_HAD}\n`);
    expect(run.result?.proof?.gates).toMatchObject([{ why: reason }]);
  });

  it('says so if there is no test file yet', async () => {
    await using stage = await open('test -e src/add.js && npm test', {}, pkg);
    const run = await stage.loop('--no-baseline', '--max-iterations', '1');
    expect(run.stderr).toContain('npm test has no test file yet that a failure could be planted in: not shown to be alive');
    expect(run.stderr).toContain(`\n${TO_BE_HAD}\n`);
  });

  it('says so if its time is up with failures planted', async () => {
    const hangs = `grep -rq "ralph canary" test && exec tail -f /dev/null; node --test`;
    await using stage = await open(hangs);
    const { run, why } = await reasonsOf(stage, '--check-timeout', '3s');
    expect(why).toEqual([
      `did not end by itself with failures planted: not shown to be alive (give it more time with --check-timeout, or "canary": false in its settings)`,
    ]);
    expect(run.stderr).toContain(`\n${TO_BE_HAD}\n`);
  });

  it('says so if it is red at the start before its tests run, and is alive once it is not', async () => {
    const mends = finishes("echo 'export const add = (a, b) => a + b;' > src/add.js");
    await using stage = await openLoopStage([mends], { gate: 'npm test', files: { ...wrong, 'src/add.js': 'export const add = (a, b) => (a - b;\n' } });
    const run = await stage.loop('--max-iterations', '1');
    expect(run.stderr).toContain(
      'npm test goes red, but shows none of the planted failures: not shown to be alive (it may be red before its tests run: Ralph looks again at each claim)',
    );
    expect(receiptOf(run).proof).toMatchObject({ level: 'living', checks: [{ state: 'living' }] });
  });

  it('says so if the settings of the gate forbid planted failures or leave it out of the proof', async () => {
    const guardrails = [
      { command: 'npm test', canary: false },
      { command: 'true', proof: 'off' },
    ];
    await using stage = await openRun(guardrails);
    const run = await stage.run();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run).proof).toMatchObject({
      level: 'green',
      checks: [
        { command: 'npm test', state: 'unknown', why: 'has no failures planted, as its settings say: not shown to be alive' },
        { command: 'true', state: 'unknown', why: 'is left out of the proof, as its settings say: not shown to be alive' },
      ],
    });
    expect(run.stderr).toContain('true is left out of the proof, as its settings say: not shown to be alive\n');
    expect(run.stderr).toContain(`\n${TO_BE_HAD}\n`);
  });

  it('says so if the settings leave every gate out of the proof, whose level then is that of the work tree', async () => {
    await using stage = await openRun([{ command: 'npm test', proof: 'off' }]);
    const run = await stage.run();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run).proof).toMatchObject({
      level: 'place',
      checks: [{ command: 'npm test', why: 'is left out of the proof, as its settings say: not shown to be alive' }],
    });
  });

  it('says so if the wanted level is green', async () => {
    await using stage = await open('npm test');
    const { why } = await reasonsOf(stage, '--proof=green');
    expect(why).toEqual(['has no failures planted, because the settings ask for no more than green: not shown to be alive']);
  });
});

describe.skipIf(bubblewrapIsMissing())('a gate that needs a network, behind the os sandbox', () => {
  const NET =
    "import { connect } from 'node:net';\nconnect(Number(process.argv[2]), '127.0.0.1').on('connect', (s) => process.exit(0)).on('error', (e) => { console.error(e.message); process.exit(7); });\n";
  const GATE = (port: number) => `node net.mjs ${port} && node --test`;

  it('does not end the night, says at the start that it shows nothing, and is red for the agent too', async () => {
    await using stage = await openLoopStage([mends, mends], { files: { ...wrong, 'net.mjs': NET }, gate: GATE(1) });
    const run = await stage.loop('--sandbox=os', '--max-iterations', '2');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, iterations: 2 } });
    expect(run.stderr).toContain(
      'goes red, but shows none of the planted failures: not shown to be alive (it needs what is not there, "connect ECONNREFUSED 127.0.0.1:1": start it, allow its host with sandbox.allowHosts, or run the check outside with sandbox.gates)',
    );
    expect(run.stderr).toContain(`\n${TO_BE_HAD}\n`);
  });

  it('is proven as far as any other on the host', async () => {
    const server = createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    await using stage = await open(GATE(port), { sandbox: { gates: 'host' } }, { ...wrong, 'net.mjs': NET });
    const { why } = await reasonsOf(stage, '--sandbox=os');
    server.close();
    expect(why).toEqual([undefined]);
  });
});
