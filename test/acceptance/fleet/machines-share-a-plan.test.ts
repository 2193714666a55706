import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doneOnce, type FleetStage, openFleetStage, resultOf, uncopiedRuns } from '../../support/fleet-stage.ts';
import { killPid } from '../../support/kill-pid.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../../support/postgres.ts';
import type { RunningRalph } from '../../support/ralph.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { until } from '../../support/until.ts';

const WORKS = 'work; claim';
/** Two thirds of it must be longer than a busy machine can stand still. */
const LEASE = '10s';
/** The first agent of the task `bait` never ends. */
const BAITED = `[ "$id" = bait ] && ( set -C; : >"$here/busy" ) 2>/dev/null && { echo "$machine" >"$here/baited"; exec sleep 600; }\nwork; claim`;

/** The first push of the base waits before the remote looks at its refs. Its end is seen when git has reported it. */
const PUSH_THAT_SLEEPS = `
grep -q refs/heads/main || exit 0
( set -C; : >asleep ) 2>/dev/null || exit 0
while [ ! -e wake ]; do sleep 0.05; done
( while kill -0 $PPID 2>/dev/null; do sleep 0.05; done; : >pushed ) </dev/null >/dev/null 2>&1 &`;

const codesOf = async (runs: readonly RunningRalph[]) => {
  const ends = await Promise.all(runs.map(({ ended }) => ended));
  return { codes: ends.map(({ code }) => code), said: ends.map(({ stderr }) => stderr).join('\n---\n') };
};
const allGone = (stage: FleetStage) => until('nothing is left running', () => stage.processes().length === 0, 30_000);

const isLeftOut = skipLoudly(whyNoPostgres());
let server: TestServer;
beforeAll(async () => {
  if (!isLeftOut) server = await openPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe.concurrent('machines with one remote and one database', { skip: isLeftOut }, () => {
  it('work off a plan together: each task once, in the order of its needs, and every clone has the result', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await using stage = await openFleetStage(server, tasks, WORKS, { edges: [['a', 'g']] });
    const { codes, said } = await codesOf([stage.begin(1), stage.begin(2), stage.begin(3, '--workers', '2')]);
    expect(codes, said).toEqual([0, 0, 0]);
    expect(resultOf(stage)).toEqual(doneOnce(...tasks));
    expect(stage.calls()).toHaveLength(tasks.length);
    const { stdout } = await stage.ralph(2, 'fleet', 'status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      fleet: 'the fleet',
      mode: 'running',
      plans: [{ plan: 'task-graph.yaml', base: 'main', counts: { total: 7, complete: 7 } }],
    });
    await allGone(stage);
  });

  it('go on with the task of a machine that was killed, once its lease is over', async () => {
    await using stage = await openFleetStage(server, ['bait', 'a', 'b'], BAITED, { machines: 2, lease: LEASE });
    const victim = stage.begin(1);
    await stage.made('baited');
    const other = stage.begin(2);
    victim.child.kill('SIGKILL');
    const { codes, said } = await codesOf([other]);
    expect(codes, said).toEqual([0]);
    expect(resultOf(stage)).toEqual(doneOnce('bait', 'a', 'b'));
    expect(stage.calls().filter((call) => call.startsWith('bait'))).toEqual(['bait 1', 'bait 2']);
    const { stdout } = await stage.ralph(2, 'fleet', 'workers', '--json');
    expect(
      JSON.parse(stdout)
        .workers.map(({ state }: { state: string }) => state)
        .toSorted(),
    ).toEqual(['ended', 'lost']);
    await allGone(stage);
  });

  it('refuse what a machine does that was asleep for longer than its lease; it ends its agent and says so', async () => {
    await using stage = await openFleetStage(server, ['bait', 'a'], BAITED, { machines: 2, lease: LEASE });
    const asleep = stage.begin(1);
    await stage.made('baited');
    killPid(asleep.child.pid, 'SIGSTOP');
    const other = await stage.begin(2).ended;
    expect(other, other.stderr).toMatchObject({ code: 0 });
    killPid(asleep.child.pid, 'SIGCONT');
    const woken = await asleep.ended;
    expect(woken, woken.stderr).toMatchObject({ code: 4 });
    expect(woken.stderr).toMatch(/^error: this worker has lost the fleet and has ended its agents: /m);
    expect(JSON.parse(woken.stdout)).toMatchObject({ stop_reason: 'fatal' });
    expect(resultOf(stage)).toEqual(doneOnce('bait', 'a'));
    await allGone(stage);
  });

  it('merge one at a time, and get the seat of a machine that was killed in it once its lease is over', async () => {
    await using stage = await openFleetStage(server, ['a', 'b'], WORKS, { machines: 2, lease: LEASE });
    await stage.hook('pre-receive', PUSH_THAT_SLEEPS);
    const seated = stage.begin(1);
    await stage.made('remote.git/asleep');
    const other = stage.begin(2);
    await until('the other wants to merge', () => stage.remote('for-each-ref', 'refs/heads/ralph/b.1') !== '', 60_000);
    const lastBeat = async () => (await server.ask(stage.url, 'select max(lease_until)::text as beat from ralph.sessions'))[0]?.['beat'];
    for (const beat of [await lastBeat(), await lastBeat()]) await until('it waits', async () => (await lastBeat()) !== beat);
    expect(resultOf(stage).merged).toEqual([]);
    seated.child.kill('SIGKILL');
    const { codes, said } = await codesOf([other]);
    expect(codes, said).toEqual([0]);
    await stage.make('remote.git/wake');
    await stage.made('remote.git/pushed');
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b'));
    expect(stage.calls()).toEqual(['a 1', 'b 2', 'a 2']);
  });

  it('refuse a push that slept on its way to the remote, whatever was done with its task meanwhile', async () => {
    await using stage = await openFleetStage(server, ['a'], `[ "$machine" = 1 ] || await go\n${WORKS}`, { machines: 2, lease: '3s' });
    await stage.hook('pre-receive', PUSH_THAT_SLEEPS);
    const asleep = stage.begin(1);
    await stage.made('remote.git/asleep');
    killPid(asleep.child.pid, 'SIGSTOP');
    // Twice: the number under which it was held is not the one before the next.
    for (const _ of [1, 2]) expect(await stage.ralph(2, 'task', 'reset', '--force', 'a')).toMatchObject({ code: 0 });
    const other = stage.begin(2);
    await until('the other is at work', () => stage.calls().length === 2, 30_000);
    const isOver = async () => (await server.ask(stage.url, 'select 1 from ralph.sessions where lease_until < clock_timestamp()')).length > 0;
    await until('its lease is over', isOver, 30_000);
    await stage.make('remote.git/wake');
    await stage.made('remote.git/pushed');
    expect(resultOf(stage).merged).toEqual([]);
    killPid(asleep.child.pid, 'SIGCONT');
    await stage.make('go');
    const { codes, said } = await codesOf([asleep, other]);
    expect(codes, said).toEqual([4, 0]);
    expect(resultOf(stage)).toEqual(doneOnce('a'));
  });

  it('spend together what a person allows, and go on once that is more', async () => {
    const told = `printf '{"type":"result","subtype":"success","is_error":false,"result":"ok","total_cost_usd":0.05}\\n'`;
    await using stage = await openFleetStage(server, ['a', 'b', 'c', 'd'], `${WORKS}\n${told}`, { machines: 2 });
    const budget = async (...args: readonly string[]) => JSON.parse((await stage.ralph(1, 'fleet', 'budget', '--json', ...args)).stdout);
    expect(await budget('0.10')).toMatchObject({ limit_usd: 0.1, spent_usd: 0, reserved_usd: 0 });
    expect(await stage.ralph(1, 'fleet', 'budget', 'much')).toMatchObject({ code: 2, stderr: expect.stringContaining('not much') });
    const ends = await Promise.all([1, 2].map(async (machine) => await stage.begin(machine, '--agent-kind', 'stream-json').ended));
    expect(ends.map(({ code, stdout }) => [code, JSON.parse(stdout).stop_reason])).toEqual(Array(2).fill([1, 'budget_exhausted']));
    expect(ends[0]?.stderr).toContain('Budget of the fleet reached: $0.1000 of $0.10 spent.');
    expect(stage.calls()).toHaveLength(2);
    expect(await budget()).toMatchObject({ limit_usd: 0.1, spent_usd: 0.1, reserved_usd: 0 });
    expect(await budget('none')).toMatchObject({ limit_usd: null });
    const { codes, said } = await codesOf([1, 2].map((machine) => stage.start(machine, 'runs', 'resume')));
    expect(codes, said).toEqual([0, 0]);
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b', 'c', 'd'));
    expect(await budget()).toMatchObject({ limit_usd: null, spent_usd: 0.1, reserved_usd: 0 });
  });

  it('let a person answer and accept from another machine what one has asked', async () => {
    const cheat = `echo 4 >number; echo '[ "$(cat number)" = 4 ]' >gate.test.sh; ${WORKS}`;
    const script = `case "$id" in asks) [ -e "$here/asked" ] || { : >"$here/asked"; echo '<promise>BLOCKED: Which account?</promise>'; exit; } ;; held) ${cheat}; exit ;; esac\n${WORKS}`;
    await using stage = await openFleetStage(server, ['asks', 'held'], script, { machines: 2 });
    stage.git(1, 'checkout', '-q', 'main');
    await writeFile(join(stage.git(1, 'rev-parse', '--show-toplevel'), 'gate.test.sh'), '[ "$(cat number)" = 3 ]\n');
    await writeFile(join(stage.git(1, 'rev-parse', '--show-toplevel'), 'number'), '3\n');
    for (const words of [
      ['add', '-A'],
      ['commit', '-q', '-m', 'a gate'],
      ['push', '-q', 'origin', 'main'],
    ])
      stage.git(1, ...words);
    const check = ['--check', 'sh gate.test.sh'];
    const asked = await stage.begin(1, ...check).ended;
    expect(asked, asked.stderr).toMatchObject({ code: 3 });
    const { stdout } = await stage.ralph(2, 'fleet', 'inbox', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      needs: [
        { task: 'asks', state: 'parked', question: 'Which account?', changed: [] },
        { task: 'held', state: 'parked', question: null, changed: ['gate.test.sh'] },
      ],
    });
    expect(await stage.ralph(2, 'fleet', 'accept', 'asks')).toMatchObject({ code: 2, stderr: expect.stringContaining('does not wait for that') });
    expect(await stage.ralph(2, 'fleet', 'answer', 'asks', 'The second one.')).toMatchObject({ code: 0 });
    expect(await stage.ralph(2, 'fleet', 'accept', 'held')).toMatchObject({ code: 0, stdout: expect.stringContaining('changed gate.test.sh') });
    expect((await stage.ralph(1, 'fleet', 'inbox')).stdout).toBe('Nothing waits for you.\n');
    const { codes, said } = await codesOf([stage.begin(2, ...check)]);
    expect(codes, said).toEqual([0]);
    expect(resultOf(stage)).toMatchObject({ merged: ['asks', 'held'], open: 0 });
    expect(stage.calls()).toEqual(['asks 1', 'held 1', 'held 1', 'asks 2']);
  });

  it('pause, go on and end when a person asks the fleet, and leave a task to a machine with the labels that it asks for, whose receipt another one can check', async () => {
    await using stage = await openFleetStage(server, ['a', 'b', ['c', 'runs_on: [gpu, agent:command]']], `: >"$here/at.$id"\nawait go.$id\n${WORKS}`, {
      machines: 2,
      lease: LEASE,
    });
    const worker = stage.begin(1);
    await stage.made('at.a');
    expect(await stage.ralph(2, 'fleet', 'drain')).toMatchObject({ code: 0 });
    await until('the worker knows', () => worker.stderr().includes('the fleet'), 30_000);
    await stage.make('go.a');
    const drained = await worker.ended;
    expect(drained, drained.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(drained.stdout)).toMatchObject({ stop_reason: 'interrupted' });
    const refused = await stage.begin(2).ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is asked to end its work')]);
    expect(await stage.ralph(2, 'fleet', 'resume')).toMatchObject({ code: 0 });
    for (const file of ['go.b', 'go.c']) await stage.make(file);
    const last = await stage.begin(2).ended;
    expect(last, last.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(last.stdout).message).toBe('No tasks available: c runs on gpu, which this worker does not have');
    expect((await stage.ralph(1, 'fleet', 'status')).stdout).toContain('  c  runs on gpu, agent:command: nobody at work has that\n');
    expect(await stage.begin(1, '--label', 'gpu', '--check', 'test -f c.txt', '--proof', 'green').ended).toMatchObject({ code: 0 });
    expect((await stage.ralph(1, 'fleet', 'workers')).stdout).toMatch(/ 1 x command gpu {2}ended /);
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b', 'c'));

    stage.git(2, 'fetch', '-q', stage.git(1, 'rev-parse', '--show-toplevel'), '+refs/notes/ralph:refs/notes/ralph');
    stage.git(2, 'fetch', '-q', 'origin');
    const verify = (...more: readonly string[]) => stage.ralph(2, 'verify', 'origin/main', ...more);
    expect(await verify('--store')).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nSigned by the worker \S+ of the fleet the fleet \(sha256:/) });
    expect(await verify('--require-signature')).toMatchObject({ code: 1, stderr: expect.stringContaining('which is no key that counts here') });
    await server.ask(stage.url, 'delete from ralph.receipt_keys');
    expect(await verify('--store')).toMatchObject({ code: 1, stderr: expect.stringContaining('which is no key that counts here') });
  });
});

describe('machines whose database crashes', { skip: isLeftOut }, () => {
  it('survive a crash of the database', async () => {
    await using stage = await openFleetStage(server, ['a', 'b', 'c', 'd'], `: >"$here/at.$id"\nawait go\n${WORKS}`, { machines: 2, lease: '30s' });
    const runs = [stage.begin(1), stage.begin(2)];
    await until('both are at work', () => stage.calls().length === 2, 60_000);
    await server.crash();
    await stage.make('go');
    await server.start();
    const { codes, said } = await codesOf(runs);
    expect(codes, said).toEqual([0, 0]);
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b', 'c', 'd'));
    expect(await uncopiedRuns(stage, server, [1, 2])).toEqual([]);
  });

  it('end their agents when the database stays away for longer than the lease, and go on with their runs later', async () => {
    await using stage = await openFleetStage(server, ['bait', 'a'], BAITED, { machines: 1, lease: LEASE });
    const alone = stage.begin(1);
    await stage.made('baited');
    await server.crash();
    const lost = await alone.ended;
    await server.start();
    expect(lost, lost.stderr).toMatchObject({ code: 4 });
    expect(lost.stderr).toMatch(
      /^error: this worker has lost the fleet and has ended its agents: the store postgres:\/\/ralph@127\.0\.0\.1:\d+\/\w+ cannot be reached/m,
    );
    await allGone(stage);
    const resumed = await stage.start(1, 'runs', 'resume').ended;
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(resultOf(stage)).toEqual(doneOnce('bait', 'a'));
    // Also what was journaled while the store was away.
    expect(await uncopiedRuns(stage, server, [1])).toEqual([]);
  });
});
