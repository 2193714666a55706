import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { seen } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { begun, doneTask, exited } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { Line } from '../../report/console/line.ts';
import { columns } from '../../report/console/look.ts';
import { needsOf } from '../../report/needs/needs.ts';
import { paint } from '../../report/terminal/paint.ts';
import { openBegunEffects } from './begun-effects.ts';
import { detailsScreen, type WatchedReport } from './details-screen.ts';
import { type KeyResult, noInput, pressKey, type WatchInput } from './watch-keys.ts';
import { watchScreen } from './watch-screen.ts';
import { type WatchedRun, type WatchView, watchView } from './watched-run.ts';

const NOW_MS = 60_000;

function watched(bodies: readonly EventBody[], over: Partial<WatchedRun> = {}): WatchView {
  const state = given(runStarted(testSettings()), ...bodies).reduce(evolve, emptyState);
  const view = watchView(
    { state, standing: 'running', begunMs: new Map(), idleMs: 0, activity: new Map(), tasks: null, needs: needsOf(state), ...over },
    NOW_MS,
  );
  if (view === null) throw new Error('no view');
  return view;
}

const asked = (text: string, story: string): EventBody => ({ type: 'question.asked', iteration: 1, story, question: { kind: 'blocked', text } });

const textOf = (lines: readonly Line[]) => lines.map(({ spans }) => spans.map(({ text }) => text).join(''));
const hide = (text: string) => text;
const screen = (views: readonly WatchView[], input: WatchInput | null = noInput, height = 24, width = 80) =>
  textOf(watchScreen(views, input, { width, height, hide }, NOW_MS));

describe('the view of a watched run', () => {
  it('tells what each worker does: the last tool of its agent, else the effect in flight', () => {
    const events = [opened(1), agentBegun(1, 1)];
    expect(watched(events).workers).toMatchObject([{ worker: 1, iteration: 1, doing: 'agent works' }]);
    expect(watched(events, { activity: new Map([['1.1', { text: 'Edit(a.ts)', atMs: 59_000 }]]) }).workers).toMatchObject([
      { doing: 'Edit(a.ts)', since_ms: 59_000 },
    ]);
  });

  it('shows no worker of a dead run, which nobody works on', () => {
    expect(watched([opened(1), agentBegun(1, 1)], { standing: 'dead' })).toMatchObject({ status: 'its process is gone', workers: [] });
  });

  it('tells how a run ended', () => {
    const stopped: EventBody = { type: 'run.stopped', outcome: notDone('max_iterations', 'No more iterations', 1) };
    expect(watched([opened(1), closed(1), stopped], { standing: 'stopped' }).status).toBe('max_iterations: No more iterations');
  });
});

describe('a worker that waits', () => {
  it('says for what: a usage limit, the pause after a crash, or its turn', () => {
    const doing = (nowMs: number, ...events: readonly EventBody[]) => {
      const state = given(runStarted(workSettings()), ...begun(1, 'A'), ...events).reduce(evolve, emptyState);
      return watchView({ state, standing: 'running', begunMs: new Map(), idleMs: 0, activity: new Map(), tasks: null, needs: [] }, nowMs)?.workers[0]?.doing;
    };
    const limited = ended(1, { verdict: 'limited', limit_resets_at: 100_000, limit_window: 'five_hour' });
    expect([doing(50_000, limited), doing(200_000, limited)]).toEqual(['waits: Usage limit (five_hour)', 'waits for its turn']);
    const crashed = ended(1, { ...exited(137), cause: { class: 'passing', kind: 'crash' } });
    expect([doing(7_000, crashed), doing(600_000, crashed)]).toEqual(['waits before the retry: its agent crashed', 'waits for its turn']);
  });
});

describe('a run between two iterations', () => {
  it('says that it pauses after failures in a row', () => {
    const failed = (iteration: number) => [opened(iteration), agentBegun(iteration), ended(iteration, exited(1)), closed(iteration, { result: 'failed' })];
    const statusAt = (nowMs: number, ...bodies: readonly EventBody[]) => {
      const state = given(runStarted(testSettings()), ...bodies).reduce(evolve, emptyState);
      return watchView({ state, standing: 'running', begunMs: new Map(), idleMs: 0, activity: new Map(), tasks: null, needs: [] }, nowMs)?.status;
    };
    const twice = [...failed(1), ...failed(2)];
    expect([statusAt(9_500, ...twice), statusAt(11_000, ...twice), statusAt(5_500, ...failed(1))]).toEqual(['pauses after failures', 'running', 'running']);
  });
});

describe('the time that is left', () => {
  it('is known for stories too, from those that this run has finished', () => {
    const plan = storyPlan(approved('US-1'), approved('US-2'), story('US-3'));
    const receipt: EventBody = { type: 'receipt.written', key: 'receipt:1', file: '/r.json', commit: 'c1', signed_by: 'k', task: 'US-2' };
    const left = (...events: readonly EventBody[]) => {
      const state = given(runStarted(storiesSettings()), seen(plan), ...events).reduce(evolve, emptyState);
      const nowMs = (state.run?.startedAtMs ?? 0) + 100_000;
      return watchView({ state, standing: 'running', begunMs: new Map(), idleMs: 40_000, activity: new Map(), tasks: null, needs: [] }, nowMs);
    };
    expect(left()).toMatchObject({ progress: { done: 2, total: 3, of: 'stories' }, left_ms: null });
    expect(left(receipt)).toMatchObject({ left_ms: 60_000 });
  });

  it('is from the pace of the run at work: no wait for a limit, no pause and no night without a process count', () => {
    const effects = openBegunEffects();
    const add = (at: number, body: Partial<EventBody>) => effects.add({ v: 1, seq: 1, at, body: body as EventBody });
    add(1_000, { type: 'run.started' });
    add(1_000, { type: 'effect.begun', key: 'agent:1.1' });
    add(11_000, { type: 'attempt.ended', key: 'agent:1.1' });
    expect(effects.idleMs(31_000)).toBe(20_000);
    add(61_000, { type: 'effect.begun', key: 'agent:1.2' });
    expect(effects.idleMs(91_000)).toBe(50_000);
    add(90_000, { type: 'run.resumed' });
    expect(effects.idleMs(90_000)).toBe(79_000);

    const tasks = ['A', 'B', 'C'].map((id) => ({ id, title: id, needs: [], standing: id === 'A' ? ('complete' as const) : ('ready' as const) }));
    const state = given(runStarted(workSettings()), ...doneTask(1, 'A')).reduce(evolve, emptyState);
    const nowMs = (state.run?.startedAtMs ?? 0) + 100_000;
    const left = (idleMs: number) =>
      watchView({ state, standing: 'running', begunMs: new Map(), idleMs, activity: new Map(), tasks, needs: [] }, nowMs)?.left_ms;
    expect([left(0), left(90_000)]).toEqual([200_000, 20_000]);
  });
});

describe('the screen of ralph watch', () => {
  it('has runs, workers and what waits for a person', () => {
    const view = watched([opened(1), agentBegun(1, 1), asked('Which account?', 'T-2')], { begunMs: new Map([['agent:1.1', 30_000]]) });
    const lines = screen([view]);
    expect(lines[0]).toBe('Ralph · 1 at work · 1 needs you');
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}w1 iteration 1 {2}agent works 30s$/));
    expect(lines).toContain('Needs you');
    expect(lines).toContainEqual(expect.stringMatching(/^> asks T-2 Which account\? \(.*\)$/));
    expect(lines.at(-2)).toContain('enter answer');
  });

  it('fits any height, and leaves out runs before needs', () => {
    const views = Array.from({ length: 30 }, () => watched([opened(1), asked('Which?', 'T-1')])).map((view, index) => ({
      ...view,
      needs: index === 0 ? view.needs : [],
    }));
    const lines = screen(views, noInput, 12);
    expect(lines).toHaveLength(12);
    expect(lines).toContainEqual(expect.stringMatching(/and \d+ more lines/));
    expect(lines).toContainEqual(expect.stringContaining('asks T-1'));
  });

  it('keeps the age of a worker at the right edge of a narrow terminal', () => {
    const view = { ...watched([]), workers: [{ worker: 2, iteration: 1, subject: 'T-1 '.repeat(40), doing: 'Edit '.repeat(40), since_ms: 0 }] };
    const row = screen([view], null, 24, 60).find((line) => line.includes('w2')) ?? '';
    expect(row.length).toBeLessThanOrEqual(60);
    expect(row).toMatch(/1m$/);
  });

  it('keeps a long title and a long command of a worker apart, and says that they are cut', () => {
    const view = watched([opened(1), agentBegun(1, 1)]);
    const worker = { worker: 2, iteration: 1, subject: `T-1 ${'title '.repeat(20)}`, doing: `Bash(${'x'.repeat(100)})`, since_ms: 59_000 };
    for (const width of [60, 80, 140])
      expect(screen([{ ...view, workers: [worker] }], noInput, 24, width).find((each) => each.includes('w2'))).toMatch(
        /^ {4}w2 T-1 [title ]*… {2}Bash\(x*… 1s$/,
      );
  });

  it('stays within 60 columns and on its own lines, whatever files and questions are called', () => {
    const hostile = `<img src=x onerror=alert(1)> line\nbreak gpj.\u202exe ${'\u001b[2J'}${'long '.repeat(40)}`;
    const view = {
      ...watched([opened(1), asked(hostile, hostile)]),
      workers: [{ worker: 1, iteration: 1, subject: hostile, doing: `Edit(${hostile})`, since_ms: 0 }],
    };
    const lines = watchScreen([view], noInput, { width: 60, height: 24, hide }, NOW_MS).map((each) => paint(each, { width: 60, colour: false, hide }));
    for (const text of lines) {
      expect(columns(text)).toBeLessThanOrEqual(60);
      expect(['\n', '\r', '\u001b', '\u202e'].filter((each) => text.includes(each))).toEqual([]);
    }
    expect(lines.join('\n')).toContain('<img src=x onerror=alert(1)>');
  });

  it('shows how far a plan is and how long it takes at this pace', () => {
    const view: WatchView = { ...watched([]), progress: { done: 3, total: 10, of: 'tasks' }, left_ms: 61_000 };
    expect(screen([view])).toContainEqual(expect.stringMatching(/#{7}\.{17} 3 of 10 tasks · about 2m left$/));
  });
});

describe('the keys of ralph watch', () => {
  const view = watched([opened(1), asked('Which account?', 'T-2'), asked('Which name?', 'T-3')]);
  const press = (names: readonly string[], views: readonly WatchView[] = [view], from = noInput): KeyResult =>
    names.reduce<KeyResult>(({ input }, name) => pressKey(input, { name, text: name.length === 1 ? name : '' }, views), {
      input: from,
      action: null,
      isOver: false,
    });

  it('answer the chosen question, also if another one is first by then', () => {
    const typing = press(['down', 'return', 'a', 'x', 'backspace', 'b']);
    const later = { ...view, needs: view.needs.toReversed() };
    expect(press(['return'], [later], typing.input)).toMatchObject({ action: { kind: 'answer', text: 'ab', task: 'T-3' } });
  });

  it('cancel an answer by escape, and send no empty one', () => {
    expect(press(['return', 'a', 'escape'])).toMatchObject({ action: null, input: { typing: null } });
    expect(press(['return', 'return'])).toMatchObject({ action: null, input: { typing: null } });
  });

  it('stop a run only after a yes', () => {
    expect(press(['s', 'y']).action).toMatchObject({ kind: 'stop', run: view.run_id });
    expect(press(['s', 'n']).action).toBeNull();
  });

  it('pause a run, and let a paused one continue', () => {
    expect(press(['p']).action).toMatchObject({ kind: 'pause' });
    expect(press(['p'], [{ ...view, status: 'paused' }]).action).toMatchObject({ kind: 'go-on' });
  });

  it('do nothing to a run that has ended, and quit', () => {
    expect(press(['p'], [{ ...view, standing: 'stopped' }]).action).toBeNull();
    expect(press(['r'], [{ ...view, standing: 'stopped' }]).action).toEqual({ kind: 'resume', run: view.run_id });
    expect(press(['r'], [{ ...view, standing: 'stopped', is_done: true }]).action).toBeNull();
    expect([press(['q']).isOver, press(['return', 'interrupt']).isOver, press(['return', 'q']).isOver]).toEqual([true, true, false]);
    expect(press(['down', 'return', 'p'], []).action).toBeNull();
  });

  it('send a note, a task to skip and a cost limit, each only if something was typed', () => {
    const instruction = (...names: readonly string[]) => {
      const { action } = press([...names, 'return']);
      return action?.kind === 'instruct' ? action.instruction : null;
    };
    expect(instruction('n', 'h', 'i')).toEqual({ kind: 'note', task: 'T-2', text: 'hi' });
    expect(instruction('x')).toEqual({ kind: 'skip', task: 'T-2' });
    expect(instruction('b', '7', '.', '5')).toEqual({ kind: 'budget', usd: 7.5 });
    expect([instruction('n'), instruction('b', 'x'), instruction('x', 'backspace', 'backspace', 'backspace')]).toEqual([null, null, null]);
  });

  it('accept a held claim, or send it back with what should be different', () => {
    const held: WatchView = { ...view, needs: view.needs.slice(0, 1).map((need) => ({ ...need, kind: 'held' })) };
    expect(press(['return'], [held]).action).toMatchObject({ kind: 'accept', task: 'T-2' });
    expect(press(['c', 'n', 'o', 'return'], [held]).action).toMatchObject({ instruction: { kind: 'again', task: 'T-2', text: 'no' } });
    expect(press(['c'], [view]).input.typing).toBeNull();
  });

  it('open the reasons why something is not done yet, move in them, and close them', () => {
    const { input } = press(['o', 'down', 'down', 'up']);
    expect(input.open).toEqual({ run: view.run_id, task: 'T-2', from: 1 });
    expect(press(['escape'], [view], input).input.open).toBeNull();
  });
});

describe('the reasons why a run is not done yet', () => {
  const red = { command: 'npm test', ending: 'exit 1', where: 'merged', lines: `${'line\n'.repeat(40)}AssertionError: 1 is not 2` } as const;
  const open = { task: 'T-3', title: '', state: 'unproven', why: 'npm test is red', waits_for_a_person: false, branch: null, red: [red] } as const;
  const report = {
    ...{ title: 'plan', run_id: 'r', not_proven: [open, { ...open, task: 'T-4' }], proven: [], refused: [], timeline: [], earlier_red: [] },
    totals: { proven: 1, not_proven: 2, cost_usd: 3, cost_per_proven_usd: 3 },
  } as unknown as WatchedReport;
  const detailed = (task: string | null, from: number) => detailsScreen(report, { task, from, clock: () => '03:10' }, { width: 80, height: 20, hide });
  const shown = (task: string | null, from: number) => textOf(detailed(task, from).rows);

  it('have the output of a red check, fit the screen and can be moved to their end', () => {
    expect(shown('T-3', 0)[0]).toContain('1 proven, 2 not, $3.00, $3.00 per proven result');
    expect(shown('T-3', 0)).toHaveLength(20);
    expect(shown('T-3', 999).join('\n')).toMatch(/AssertionError: 1 is not 2[\s\S]*other keys go back$/);
    expect(shown('T-3', 999).join('\n')).not.toContain('T-4');
    // One key back from the end moves it, however often somebody went on there.
    const { first } = detailed('T-3', 999);
    expect(shown('T-3', first)).toEqual(shown('T-3', 999));
    expect(shown('T-3', first - 1)).not.toEqual(shown('T-3', 999));
  });
});
