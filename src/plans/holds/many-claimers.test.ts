import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileSource } from '../../../test/support/compiled-source.ts';
import { deep } from '../../../test/support/deep.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { Holder } from '../../journal/words/task-register.ts';
import { openScope } from '../../kit/async/scope.ts';
import { numberedName } from '../../kit/files/numbered.ts';
import { identityOf, livenessOf } from '../../process/identity.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { registerName } from '../graph/standing.ts';
import { holdTask, releaseHold, resetTask } from './hold-task.ts';

const CLAIMER = join(import.meta.dirname, '../../../test/fixtures/holding/claim-all.mjs');
const ENTRIES = ['src/recipes/work/effects/take-task.ts', 'src/store/registers-files.ts', 'src/process/identity.ts', 'test/support/plan-of.ts'];

let compiled: ThrowAwayFolder;
beforeAll(async () => {
  compiled = await openThrowAwayFolder();
  await compileSource(compiled.path, ENTRIES);
});
afterAll(() => compiled[Symbol.asyncDispose]());

interface Claim {
  readonly task: string;
  readonly n: number;
}

/** A process that takes tasks when it is told to, and keeps them as long as it lives. */
async function startClaimer(registers: string, name: string, tasks: number): Promise<Claimer> {
  const child = fork(CLAIMER, [compiled.path, registers, name, String(tasks)]);
  expect((await once(child, 'message'))[0]).toBe('ready');
  const kill = () => killed(child);
  return { claims: () => claimsOf(child), kill, [Symbol.asyncDispose]: kill };
}

interface Claimer extends AsyncDisposable {
  claims(): Promise<readonly Claim[]>;
  kill(): Promise<void>;
}

async function claimsOf(child: ChildProcess): Promise<readonly Claim[]> {
  const told = once(child, 'message');
  child.send('go');
  return ((await told)[0] as { readonly taken: readonly Claim[] }).taken;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** What this process needs to hold a task. */
function crewIn(folder: string) {
  const us = identityOf(process.pid);
  if (us === null) throw new Error('This process is not in the process table.');
  const here = { host: us.host, boot_id: us.bootId, pid: us.pid, start_time: us.startTime };
  const holder: Holder = { name: 'us/1', run: 'us', lane: 1, process: here };
  return {
    holder,
    crew: {
      registers: openFileRegisters(folder),
      process: here,
      livenessOf: ({ host, boot_id, pid, start_time }: typeof here) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time }),
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const wishFor = (task: string, holder: Holder, nowMs: number) => ({ planPath: 'plan.yaml', task, holder, key: 'take:1', nowMs });

describe('processes that race for tasks', () => {
  const claimEachOnce = async (processes: number, tasks: number) => {
    await using folder = await openThrowAwayFolder();
    await using scope = openScope();
    const racers = await Promise.all(upTo(processes).map((n) => startClaimer(folder.path, `run-${n}`, tasks)));
    for (const racer of racers) scope.defer(racer.kill);
    const claims = (await Promise.all(racers.map((racer) => racer.claims()))).flat();
    expect(claims).toHaveLength(tasks);
    expect(new Set(claims.map(({ task }) => task)).size).toBe(tasks);
    expect(claims.every(({ n }) => n === 1)).toBe(true);
  };

  it('claim each of two hundred tasks exactly once, six at a time', () => claimEachOnce(6, 200));

  deep('sixteen processes that race for a thousand tasks take 10 s of processor time', () => {
    it('claim each of a thousand tasks exactly once, sixteen at a time', { timeout: 300_000 }, () => claimEachOnce(16, 1000));
  });

  it('share the tasks of a killed one, each once and under the next number', async () => {
    await using folder = await openThrowAwayFolder();
    await using scope = openScope();
    await using victim = await startClaimer(folder.path, 'victim', 20);
    expect(await victim.claims()).toHaveLength(20);
    await victim.kill();
    const heirs = await Promise.all(upTo(4).map((n) => startClaimer(folder.path, `heir-${n}`, 20)));
    for (const heir of heirs) scope.defer(heir.kill);
    const claims = (await Promise.all(heirs.map((heir) => heir.claims()))).flat();
    expect(claims).toHaveLength(20);
    expect(new Set(claims.map(({ task }) => task)).size).toBe(20);
    expect(claims.every(({ n }) => n === 2)).toBe(true);
  });
});

describe('a holder', () => {
  it('that lives keeps its task, whatever the clock says', async () => {
    await using folder = await openThrowAwayFolder();
    const { crew, holder } = crewIn(folder.path);
    await using living = await startClaimer(folder.path, 'living', 1);
    expect(await living.claims()).toEqual([{ task: 'T-0', n: 1 }]);
    for (const nowMs of [0, Date.now() + 365 * 86_400_000]) {
      expect(await holdTask(crew, wishFor('T-0', holder, nowMs))).toMatchObject({ kind: 'taken', by: { n: 1, liveness: 'alive' } });
    }
  });

  it('that was killed loses it under the next number, and later writes in its name are refused', async () => {
    await using folder = await openThrowAwayFolder();
    const { crew, holder } = crewIn(folder.path);
    await using victim = await startClaimer(folder.path, 'victim', 1);
    expect(await victim.claims()).toEqual([{ task: 'T-0', n: 1 }]);
    await victim.kill();
    const taken = await holdTask(crew, wishFor('T-0', holder, 7));
    expect(taken).toMatchObject({ kind: 'held', n: 2, register: { holder: { name: 'victim/1' } }, held: { branch: 'ralph/T-0.1' } });
    const late = { state: 'done' as const, holder: null, key: 'release:1', at: 8, branch: null, base: null, tries: 0, feedback: '' };
    expect(await releaseHold(crew, { planPath: 'plan.yaml', task: 'T-0', n: 1, ...late })).toBe(false);
    expect(await releaseHold(crew, { planPath: 'plan.yaml', task: 'T-0', n: 2, ...late })).toBe(true);
  });

  it('whose register is damaged keeps everybody else out until it is reset', async () => {
    await using folder = await openThrowAwayFolder();
    const { crew, holder } = crewIn(folder.path);
    await holdTask(crew, wishFor('T-0', holder, 1));
    await writeFile(join(folder.path, numberedName(registerName('plan.yaml', 'T-0'), 1)), '{"state":"fr');
    await using other = await startClaimer(folder.path, 'other', 2);
    expect(await other.claims()).toEqual([{ task: 'T-1', n: 1 }]);
    expect(await resetTask(crew, { planPath: 'plan.yaml', task: 'T-0', nowMs: 2 })).toMatchObject({ n: 1, register: null });
    expect(await other.claims()).toEqual([{ task: 'T-0', n: 3 }]);
  });
});
