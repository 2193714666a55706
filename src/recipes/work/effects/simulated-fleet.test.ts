import { expect, it } from 'vitest';
import { deepIt } from '../../../../test/support/deep.ts';
import { planOf, taskOf } from '../../../../test/support/plan-of.ts';
import type { Register } from '../../../engine/ports/stores.ts';
import { selectTask } from '../../../plans/graph/select-task.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { readHolds, readyTasks } from '../../../plans/holds/hold-of.ts';
import { holdTask, releaseHold } from '../../../plans/holds/hold-task.ts';
import { nextPollAtMs } from '../task-progress.ts';

const PLAN = 'plan.yaml';
const ALL = { story: null, milestone: null, tags: [] };
const LEASE_MS = 30_000;
const MINUTE_MS = 60_000;

class Over extends Error {}

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Worker {
  readonly id: number;
  /** When it dies or falls asleep; its session is over a lease later. */
  readonly failsAtMs: number;
  /** When it wakes up; null: never. */
  readonly wakesAtMs: number | null;
  idleSinceMs: number | null;
}

/** What happens next, in virtual time. */
interface Moment {
  readonly atMs: number;
  readonly worker: Worker;
  /** What it comes back with; null: it looks for a task. */
  readonly finished: { readonly index: number; readonly n: number } | null;
}

/** The store and its workers without any waiting: sessions with leases, registers that refuse who is over, agents that take minutes, and the real rules for taking tasks. */
async function simulate({ workers: count, tasks: taskCount, seed }: { readonly workers: number; readonly tasks: number; readonly seed: number }) {
  const random = dice(seed);
  // Each third task needs the one before.
  const tasks = Array.from({ length: taskCount }, (_, index) => taskOf(`t${index}`, index % 3 === 2 ? { needs: [`t${index - 1}`] } : {}));
  const plan = { ...planOf([]), tasks };
  const all = new Map<string, Register>();
  const workers: Worker[] = [];
  const queue: Moment[] = [];
  const done = new Map<string, number>();
  const seen = { nowMs: 0, looks: 0, workMs: 0, refused: 0, lateWrites: 0 };

  const isOver = ({ failsAtMs }: Worker) => seen.nowMs >= failsAtMs + LEASE_MS;
  const later = (moment: Moment) => {
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.atMs ?? 0) > moment.atMs) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, moment);
  };
  const begin = (atMs: number, isSteady: boolean) => {
    const failsAtMs = isSteady ? Number.POSITIVE_INFINITY : atMs + random() * 120 * MINUTE_MS;
    const worker: Worker = { id: workers.length, failsAtMs, wakesAtMs: random() < 0.5 ? null : failsAtMs + 2 * LEASE_MS, idleSinceMs: null };
    workers.push(worker);
    later({ atMs, worker, finished: null });
    // Somebody starts another one in its place.
    if (!isSteady) later({ atMs: failsAtMs + MINUTE_MS, worker, finished: null });
  };
  const portsOf = (worker: Worker) => ({
    registers: {
      get: async (name: string) => all.get(name) ?? null,
      getMany: async (names: readonly string[]) => new Map(names.flatMap((name) => (all.has(name) ? [[name, all.get(name) as Register]] : []))),
      async put(name: string, n: number, value: unknown) {
        if (isOver(worker)) throw new Over();
        if ((all.get(name)?.n ?? 0) !== n - 1) return 'taken' as const;
        all.set(name, { n, value });
        return 'put' as const;
      },
    },
    livenessOf: ({ pid }: { readonly pid: number }) => (isOver(workers[pid] as Worker) ? ('dead' as const) : ('alive' as const)),
  });
  const holderOf = ({ id }: Worker) => ({ name: `${id}/1`, run: `${id}`, lane: 1, process: { host: 'h', boot_id: 'b', pid: id, start_time: '1' } });

  async function take(worker: Worker): Promise<void> {
    seen.looks += 1;
    const ports = portsOf(worker);
    const holds = await readHolds(ports, PLAN, plan);
    const selection = selectTask(plan, holds, ALL);
    if (selection.kind === 'nothing') {
      worker.idleSinceMs ??= seen.nowMs;
      const atMs = Math.min(nextPollAtMs({ sinceMs: worker.idleSinceMs, atMs: seen.nowMs }), seen.nowMs + LEASE_MS / 2);
      if (selection.reason !== 'all-complete') later({ atMs, worker, finished: null });
      return;
    }
    for (const { id } of readyTasks(plan, holds, ALL)) {
      const answer = await holdTask(ports, { planPath: PLAN, task: id, holder: holderOf(worker), key: 'take', nowMs: seen.nowMs });
      if (answer.kind === 'held') return work(worker, Number(id.slice(1)), answer.n);
    }
    later({ atMs: seen.nowMs + 1_000, worker, finished: null });
  }

  function work(worker: Worker, index: number, n: number): void {
    worker.idleSinceMs = null;
    const ms = (2 + 18 * random()) * MINUTE_MS;
    const endMs = seen.nowMs + ms;
    const backMs = endMs < worker.failsAtMs ? endMs : worker.wakesAtMs;
    seen.workMs += Math.min(ms, worker.failsAtMs + LEASE_MS - seen.nowMs);
    if (backMs !== null) later({ atMs: backMs, worker, finished: { index, n } });
  }

  async function finish(worker: Worker, { index, n }: NonNullable<Moment['finished']>): Promise<void> {
    const id = `t${index}`;
    const held = all.get(registerName(PLAN, id))?.value as Parameters<typeof releaseHold>[1];
    const isLate = isOver(worker);
    try {
      const isWritten = await releaseHold(portsOf(worker), { ...held, planPath: PLAN, task: id, n, holder: holderOf(worker), state: 'done' });
      if (isLate) seen.lateWrites += 1;
      if (!isWritten) return;
      done.set(id, (done.get(id) ?? 0) + 1);
      tasks[index] = { ...(tasks[index] as (typeof tasks)[number]), status: 'complete' };
      later({ atMs: seen.nowMs, worker, finished: null });
    } catch (error) {
      if (!(error instanceof Over)) throw error;
      seen.refused += 1;
    }
  }

  for (let nth = 0; nth < count; nth += 1) begin(nth * 100, nth % 5 !== 0);
  for (let moment = queue.pop(); moment !== undefined && done.size < taskCount; moment = queue.pop()) {
    seen.nowMs = moment.atMs;
    const { worker, finished } = moment;
    if (finished !== null) await finish(worker, finished);
    else if (seen.nowMs < worker.failsAtMs) await take(worker);
    else if (seen.nowMs === worker.failsAtMs + MINUTE_MS) begin(seen.nowMs, false);
  }
  const idealMs = seen.workMs / count;
  return { ...seen, done, idealMs, failed: workers.length - count };
}

async function expectEachOnce(size: { readonly workers: number; readonly tasks: number }): Promise<void> {
  const { done, nowMs, idealMs, refused, lateWrites, failed, looks } = await simulate({ ...size, seed: 7 });
  expect([done.size, [...done.values()].filter((times) => times !== 1), lateWrites]).toEqual([size.tasks, [], 0]);
  expect(refused).toBeGreaterThan(0);
  // The last tasks wait for each other, and a failed worker's for its lease.
  expect(nowMs).toBeLessThan(1.1 * idealMs + 60 * MINUTE_MS);
  const hours = (nowMs / 3_600_000).toFixed(1);
  const busy = ((100 * idealMs) / nowMs).toFixed(0);
  console.info(`${size.workers} workers, ${size.tasks} tasks: ${hours} h, ${busy} % busy, ${failed} failed, ${refused} late writes refused, ${looks} looks`);
}

it('ten workers in virtual time do each of 150 tasks once, though every fifth dies or sleeps past its lease again and again', () =>
  expectEachOnce({ workers: 10, tasks: 150 }));

deepIt('10,000 tasks take minutes; 150 go the same ways')(
  '200 workers in virtual time do each of 10,000 tasks once, though every fifth dies or sleeps past its lease again and again',
  () => expectEachOnce({ workers: 200, tasks: 10_000 }),
  1_800_000,
);
