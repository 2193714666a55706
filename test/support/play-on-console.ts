import { attemptId } from '../../src/journal/effects/effect.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import type { Progress } from '../../src/journal/progress.ts';
import { emptyState, type RunState } from '../../src/journal/state/state.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import { storiesScreen } from '../../src/recipes/review/console/stories-screen.ts';
import { loopScreen } from '../../src/recipes/run/console/loop-screen.ts';
import { superviseScreen } from '../../src/recipes/supervise/console/supervise-screen.ts';
import { workScreen } from '../../src/recipes/work/console/work-screen.ts';
import { plainScreen, type RecipeScreen } from '../../src/report/console/recipe-screen.ts';
import { type ConsoleOptions, openConsole } from '../../src/report/terminal/console.ts';
import type { ConsoleSpec, GateSpec, RunSettings } from '../../src/settings/schema/run-settings.ts';
import { writer } from './given.ts';
import { gatesBegun, judged } from './run-events.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

export const START = new Date(2026, 0, 15, 4, 40, 55).getTime();
export const lint: GateSpec = { command: 'make lint', failAction: 'APPEND', hint: null, timeoutMs: 1_800_000 };
export const test: GateSpec = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 1_800_000 };

const base = testSettings();
export const settings: RunSettings = {
  ...base,
  agent: { kind: 'claude', command: 'claude', flags: ['--verbose'], model: 'opus', autonomy: 'full' },
  claims: [
    { kind: 'response', word: 'DONE' },
    { kind: 'promise', word: 'DONE' },
  ],
  gates: [lint, test],
  maximumIterations: 10,
  limits: { ...base.limits, idleMs: 1_200_000, iterationMs: 10_800_000, outputBytes: 4 * 1024 ** 3, limitWaitMs: 21_600_000 },
};

export const started = (over: SettingsChange = {}): Extract<EventBody, { type: 'run.started' }> => ({
  type: 'run.started',
  run: '20260115-044055-abc123',
  ralph: '0.1.0',
  cwd: '/home/dev/project',
  origin: '/home/dev/project',
  settings: testSettings({ ...settings, ...over }),
  sources: [],
  found: { head: 'h', tree: 't', problem: null, dirty: ['a', 'b', 'c'], dirty_count: 3 },
  writer,
});

/** How the screen is to look, where that is not as usual. */
export const looking = (over: Partial<ConsoleSpec>): Partial<RunSettings> => ({ console: { ...settings.console, ...over } });

export interface Moment {
  readonly body?: EventBody;
  readonly agent?: AgentEvent;
  readonly progress?: Progress;
}

export const SCREENS: Readonly<Record<RunSettings['recipe'], RecipeScreen>> = {
  run: plainScreen,
  loop: loopScreen,
  work: workScreen,
  stories: storiesScreen,
  supervise: superviseScreen,
  job: superviseScreen,
};

function screenFor(moments: readonly (EventBody | Moment)[]): RecipeScreen {
  const bodies = moments.map((moment) => ('type' in moment ? moment : moment.body));
  const begun = bodies.find((body) => body?.type === 'run.started');
  return SCREENS[begun?.settings.recipe ?? 'run'];
}

/** Plays a run as the engine would, a second between two moments, and returns the screen. */
export function play(moments: readonly (EventBody | Moment)[], over: Partial<ConsoleOptions> = {}): string {
  let screen = '';
  let nowMs = START;
  let state: RunState = emptyState;
  let seq = 0;
  const console = openConsole({
    write: (text) => {
      screen += text;
    },
    width: 0,
    colour: false,
    quiet: false,
    verbose: false,
    secrets: [],
    runFolder: null,
    nowMs: () => nowMs,
    screen: screenFor(moments),
    ...over,
  });
  for (const moment of moments) {
    const { body, agent, progress } = 'type' in moment ? { body: moment } : moment;
    seq += 1;
    if (agent) console.onAgentEvent?.(attemptNow(state), agent);
    if (progress) console.onProgress?.(progress);
    if (body) {
      const event = { v: 1, seq, at: nowMs, body };
      state = evolve(state, event);
      console.onEvent(event, state);
    }
    nowMs += 1000;
  }
  return screen;
}

/** Who speaks: the agent that was begun last. */
function attemptNow({ inFlight }: RunState): string {
  const agent = inFlight.findLast(({ kind }) => kind === 'run-agent');
  return agent ? attemptId(agent) : '1.1';
}

/** Guardrails as they run before everybody's eyes: each with its exit code. */
export function gatesRun(iteration: number, codes: readonly (readonly [GateSpec, number])[], attempt = 1): readonly (EventBody | Moment)[] {
  const fact = judged(iteration, codes, { attempt });
  const gates = codes.map(([gate]) => gate);
  const results = fact.type === 'gates.judged' ? fact.results : [];
  const seen = results.flatMap((result): Moment[] => [
    { progress: { type: 'gate.started', attempt: '1.1', gate: result.gate } },
    { progress: { type: 'gate.ended', attempt: '1.1', result } },
  ]);
  return [gatesBegun(iteration, gates, attempt), ...seen, fact];
}

export const say = (text: string): Moment => ({ agent: { type: 'message', text } });
export const tool = (id: string, name: string, input: unknown): Moment => ({ agent: { type: 'tool.started', id, name, input } });
export const done = (id: string, output: string): Moment => ({ agent: { type: 'tool.finished', id, ok: true, output } });

export const spent = { input: 350_000, cache_read: 850_000, cache_write: 0, output: 45_000, cost_usd: 5.76, estimated: false };
