import { join } from 'node:path';
import { attemptId, type RunAgent } from '../journal/effects/effect.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import { agentOfAttempt } from '../limits/agents.ts';
import type { InboxItem } from '../people/questions/read-inbox.ts';
import { toolInput } from '../report/console/tool-lines.ts';
import { openPlanTasks } from '../report/history/plan-tasks.ts';
import type { Need } from '../report/needs/needs.ts';
import { type AttemptTail, openAttemptTail } from '../runs/manage/tail-run.ts';
import { followJournalFile } from '../store/journal-file.ts';
import { nameRuns } from '../store/runs/read-runs.ts';
import { type RunSummary, readRunSummary } from '../store/runs/run-summary.ts';
import { followNeeds } from './follow-needs.ts';
import { openBegunEffects } from './view/begun-effects.ts';
import type { Activity, WatchedRun } from './view/watched-run.ts';

/** Follows runs by their journals. It only reads. */
export interface FollowedRuns extends Disposable {
  /**
   * Reads what is new, and returns the runs at work first, then those that ended while somebody watched and those that wait for a person; without any, the
   * newest run.
   */
  look(nowMs: number): Promise<readonly WatchedRun[]>;
}

/** `wanted`: only this run. */
export function followRuns(folders: readonly string[], wanted: string | null, cwd: string): FollowedRuns {
  const followed = new Map<string, FollowedRun>();
  const over = new Set<string>();
  const needs = followNeeds(folders, wanted, cwd);

  async function find(): Promise<void> {
    const listings = await Promise.all(folders.map(async (folder) => ({ folder, ...(await nameRuns(folder)) })));
    const named = listings.flatMap(({ folder, names, hasStopped }) => names.map((name) => ({ folder, name, hasStopped })));
    const wantedNow = named.filter(({ name }) => (wanted === null ? !followed.has(name) && !over.has(name) : name === wanted && !followed.has(name)));
    for (const { folder, name, hasStopped } of wantedNow) {
      if (wanted === null && hasStopped(name)) over.add(name);
      else await follow(folder, name);
    }
    const newest = named.toSorted((one, other) => (one.name < other.name ? 1 : -1))[0];
    if (followed.size === 0 && newest !== undefined && wanted === null) await follow(newest.folder, newest.name);
  }

  async function follow(folder: string, name: string): Promise<void> {
    const summary = await readRunSummary(folder, name);
    if (summary?.kind === 'run') followed.set(name, openFollowedRun(summary));
  }

  return {
    async look(nowMs) {
      await find();
      const open = await needs.look(nowMs);
      for (const { run, runsFolder } of open) if (!followed.has(run)) await follow(runsFolder, run);
      const newestFirst = [...followed.entries()].sort(([one], [other]) => (one < other ? 1 : -1));
      const runs: WatchedRun[] = [];
      for (const [name, run] of newestFirst) runs.push({ ...(await run.look(nowMs)), needs: needsIn(open, name) });
      return runs.sort((one, other) => Number(other.standing === 'running') - Number(one.standing === 'running'));
    },
    [Symbol.dispose]() {
      for (const run of followed.values()) run[Symbol.dispose]();
    },
  };
}

function needsIn(items: readonly InboxItem[], name: string): readonly Need[] {
  return items.filter(({ run }) => run === name).map(({ recipe: _, state: __, runsFolder: ___, ...need }) => need);
}

interface FollowedRun extends Disposable {
  look(nowMs: number): Promise<Omit<WatchedRun, 'needs'>>;
}

function openFollowedRun({ runsFolder, run, folder }: RunSummary): FollowedRun {
  const journal = followJournalFile(join(folder, 'journal.jsonl'));
  const begun = openBegunEffects();
  const agents = openAgents(folder);
  let state: RunState = emptyState;
  const tasks = openPlanTasks();

  function fold(event: JournalEvent): void {
    state = evolve(state, event);
    begun.add(event);
    tasks.add(event.body);
  }

  return {
    async look(nowMs) {
      for (const event of await journal.more()) fold(event);
      const liveness = state.stopped === null ? ((await readRunSummary(runsFolder, run))?.liveness ?? 'dead') : null;
      return {
        state,
        standing: liveness === null ? 'stopped' : STANDING[liveness],
        begunMs: begun.begunMs,
        idleMs: begun.idleMs(nowMs),
        activity: agents.look(state, nowMs),
        tasks: tasks.tasks(),
      };
    },
    [Symbol.dispose]: () => agents[Symbol.dispose](),
  };
}

export const STANDING = { alive: 'running', dead: 'dead', unknown: 'unknown' } as const;

export interface Agents extends Disposable {
  look(state: RunState, nowMs: number): ReadonlyMap<string, Activity>;
}

/** The last tool call or message of each agent that is at work. */
export function openAgents(runFolder: string): Agents {
  const tails = new Map<string, AttemptTail>();
  const activity = new Map<string, Activity>();
  const forget = (attempt: string) => {
    tails.get(attempt)?.[Symbol.dispose]();
    tails.delete(attempt);
    activity.delete(attempt);
  };
  const tailOf = (attempt: string, effect: RunAgent, run: RunState['run']) => {
    const agent = run && agentOfAttempt(run.settings, effect);
    const tail = tails.get(attempt) ?? openAttemptTail({ runFolder, attempt, role: effect.role, agent });
    tails.set(attempt, tail);
    return tail;
  };
  return {
    look({ inFlight, run }, nowMs) {
      const working = agentsAtWork(inFlight);
      for (const attempt of [...tails.keys()].filter((each) => !working.has(each))) forget(attempt);
      for (const [attempt, effect] of working) {
        const tail = tailOf(attempt, effect, run);
        const last = tail
          .more()
          .flatMap((event) => activityText(event) ?? [])
          .at(-1);
        // Whoever begins to watch later sees how old it is.
        if (last !== undefined) activity.set(attempt, { text: last, atMs: Math.min(nowMs, tail.saidAtMs()) });
      }
      return activity;
    },
    [Symbol.dispose]() {
      for (const tail of tails.values()) tail[Symbol.dispose]();
    },
  };
}

function agentsAtWork(inFlight: RunState['inFlight']) {
  return new Map(inFlight.flatMap((effect) => (effect.kind === 'run-agent' ? [[attemptId(effect), effect] as const] : [])));
}

function activityText(event: AgentEvent): string | null {
  if (event.type === 'tool.started') return `${event.name}(${toolInput(event.name, event.input)})`;
  if (event.type === 'message') return event.text.trim().split('\n').at(-1) ?? null;
  return event.type === 'retry' ? 'waits for its model' : null;
}
