import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { historyOf } from '../../../test/support/history-of.ts';
import { allPassed, checksRun, loopStarted, pytest, ruff, spentUsd, stopped, tag, twoIterations } from '../../../test/support/loop-journal.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { turn } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story } from '../../../test/support/stories-spec.ts';
import { begun, doneTask, failedTask, merged, released, settled } from '../../../test/support/work-journal.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { costText } from '../../kit/pure/amounts.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { spentText } from '../console/summary/money-lines.ts';
import { needsOf } from '../needs/needs.ts';
import { runView } from '../views/run-view.ts';
import { reportPageMarkdown } from './report-page-markdown.ts';
import type { RunReport } from './report-view.ts';
import { runReport } from './run-report.ts';
import { openStats } from './run-stats.ts';

function reportOf(bodies: readonly EventBody[], status: RunReport['status'] = 'stopped'): RunReport {
  return runReport(historyOf(given(...bodies)), { status, runFolder: '/runs/r' });
}

const gate = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
const work: RunSettings = workSettings({}, { gates: [gate] });
const proof = {
  verdict: 'held',
  level: 'green',
  tree: 't',
  results: [],
  changed: [{ path: 'a.test.ts', why: 'a test' }],
  allowed: [],
  allowed_by: null,
  gates: [],
  reason: 'Held: a.test.ts was changed',
} as const;

const heldTask = (iteration: number, id: string): readonly EventBody[] => [
  ...begun(iteration, id),
  ended(iteration, { spent: spentUsd(0.5) }),
  settled(iteration),
  merged(iteration, { result: 'held', commit: null, proof: { ...proof, results: [], changed: [...proof.changed], allowed: [], gates: [] } }),
  released(iteration, id, 'parked'),
  closed(iteration, { result: 'red' }),
];

describe('the report of a run on a plan', () => {
  const night = [
    runStarted(work),
    ...doneTask(1, 'A'),
    ...failedTask(2, 'B'),
    ...heldTask(3, "it's"),
    ...begun(4, 'D'),
    stopped(notDone('blocked', 'only human work remains', 3)),
  ];
  const report = reportOf(night);

  it('says of each task whether it is proven, and if not, why', () => {
    expect(report.proven).toMatchObject([{ task: 'A', title: 'Title of A', commit: 'abc1234def', receipt: null }]);
    expect(report.not_proven).toMatchObject([
      { task: 'B', state: 'failed', why: 'the agent exited with code 3', waits_for_a_person: true, branch: 'ralph/b.1' },
      { task: "it's", state: 'held', why: 'Held: a.test.ts was changed', waits_for_a_person: true },
      { task: 'D', state: 'running' },
    ]);
    expect(report.totals).toMatchObject({ proven: 1, not_proven: 3, iterations: 4 });
  });

  const seen = (...ids: readonly string[]) => ids.map((id) => ({ id, title: `Title of ${id}`, needs: [], standing: 'ready' as const }));
  const counted = { plan: { whole: true, tasks: seen('A', 'B', 'C', 'D', 'E') }, total: 5, complete: 0 };

  it('names the tasks that no agent has worked on apart from those that are not proven', () => {
    const [first, ...rest] = doneTask(1, 'A');
    const taken: EventBody = { ...first, ...counted } as EventBody;
    const left = [...begun(3, 'C').slice(0, -1), released(3, 'C', 'free'), closed(3, { result: 'abandoned' })];
    const early = reportOf([runStarted(work), taken, ...rest, ...failedTask(2, 'B'), ...left, stopped(notDone('interrupted', 'Stopped by SIGINT'))]);
    expect(early.not_proven.map(({ task }) => task)).toEqual(['B']);
    expect(early.not_begun.map(({ task }) => task)).toEqual(['C', 'D', 'E']);
    expect(early.totals).toMatchObject({ proven: 1, not_proven: 1, not_begun: 3, iterations: 3 });
    const page = reportPageMarkdown(early, String);
    expect(page).toContain('- Result: 1 of 5 proven, 1 not proven, 3 not begun\n');
    expect(page).toContain('## Not begun (3)\n\n- C: Title of C\n- D: Title of D\n- E: Title of E\n');
    expect(page).toContain('| C | not begun | 1 |');
    const one = workSettings({ filter: { story: 'S', milestone: null, tags: [] } }, { gates: [gate] });
    expect(reportOf([runStarted(one), taken, ...rest])).toMatchObject({ not_begun: [], totals: { proven: 1, not_begun: 4 } });
  });

  it('tells the same cause in the report, the notification, the inbox and the figures of the agent', () => {
    const cause = { class: 'passing', kind: 'crash' } as const;
    const crashed = failedTask(1, 'B').map((body) => (body.type === 'attempt.ended' ? { ...body, cause } : body));
    const events = given(runStarted(work), ...crashed);
    const why = 'the agent exited with code 3, cause: passing (crash)';
    expect(reportOf([runStarted(work), ...crashed])).toMatchObject({ not_proven: [{ why }], by_agent: [{ failed: { crash: 1 } }] });
    expect(needsOf(historyOf(events).state)).toMatchObject([{ text: why }]);
  });

  it("has the agent's own words beside the reason", () => {
    const words = failedTask(1, 'B').map((body) => (body.type === 'attempt.ended' ? { ...body, last_words: 'There is *no* key.' } : body));
    const told = reportOf([runStarted(work), ...words, stopped(notDone('stuck', 'B has failed'))]);
    expect(told.not_proven).toMatchObject([{ why: 'the agent exited with code 3', agent_said: 'There is *no* key.' }]);
    expect(reportPageMarkdown(told, String)).toContain('the agent exited with code 3\n\nThe agent said: "There is &#42;no&#42; key."\n');
    expect(needsOf(historyOf(given(runStarted(work), ...words)).state)).toMatchObject([{ kind: 'failed', said: 'There is *no* key.' }]);
  });

  it('does not send a person to a branch on which nothing was done', () => {
    const idle = failedTask(1, 'B').map((body) => (body.type === 'plan.settled' ? { ...body, changed: false } : body));
    const { not_proven, next } = reportOf([runStarted(work), ...idle, stopped(notDone('stuck', 'B has failed'))]);
    expect(not_proven).toMatchObject([{ task: 'B', branch: null }]);
    expect(next.map(({ command }) => command)).toEqual(['ralph answer --run r --task B "…"', 'ralph runs resume r']);
  });

  it('says that a task is tried by another run when this one is at its limit, and asks for no answer twice', () => {
    const spent = [runStarted(work), ...failedTask(1, 'B'), ...heldTask(2, 'C'), stopped(notDone('max_iterations', 'Maximum iterations reached.'))];
    const freed = (task: string): EventBody => ({ type: 'task.answered', key: '', task, was_ours: true });
    const commands = (...more: readonly EventBody[]) => reportOf([...spent, ...more]).next.filter(({ command }) => !command.startsWith('git '));
    expect(commands()).toMatchObject([
      { command: 'ralph answer --run r --task B "…"', why: 'have B tried again, by the next ralph work, with what its agent has to know' },
      { command: 'ralph accept r --task C' },
      { command: expect.stringMatching(/^ralph work --plan /) },
    ]);
    expect(commands(freed('B'), freed('C'))).toMatchObject([{ command: expect.stringMatching(/^ralph work --plan /) }]);
    expect(needsOf(historyOf(given(...spent, freed('B'), freed('C'))).state)).toEqual([]);
  });

  it('has the commands for what waits for a person, ready to be copied', () => {
    expect(report.next.map(({ command }) => command)).toEqual([
      'git log -p main..ralph/b.1',
      'ralph answer --run r --task B "…"',
      `ralph accept r --task 'it'\\''s'`,
      'ralph runs resume r',
    ]);
  });

  it('has numbers by task and by agent that add up to the totals', () => {
    expect(report.by_task.map(({ task, iterations }) => [task, iterations])).toEqual([
      ['A', 1],
      ['B', 1],
      ["it's", 1],
      ['D', 1],
    ]);
    const sum = report.by_task.reduce((usd, { cost_usd }) => usd + (cost_usd ?? 0), 0);
    // The costs of two attempts are unknown: they count as much as the dearest known one, in the parts as in the whole.
    expect(report.totals).toMatchObject({ cost_usd: 1.5, cost_estimated: true, cost_per_proven_usd: 1.5 });
    expect(sum).toBeCloseTo(1.5);
    expect(report.by_agent).toMatchObject([{ agent: 'scripted', attempts: 3, cost_usd: 1.5, failed: { failed: 1 } }]);
  });

  it('counts a task without any check as done and not as proven', () => {
    const bare = reportOf([runStarted(workSettings()), ...doneTask(1, 'A'), stopped({ ...allPassed, stop_reason: 'completed' })]);
    expect(bare.proven).toEqual([]);
    expect(bare.not_proven).toMatchObject([{ task: 'A', state: 'unchecked' }]);
  });
});

/** The id of the run that `loopStarted` starts. */
const LOOP = '20260115-044055-abc123';

describe('the report of a loop', () => {
  it('says by which gates, on which commit and at which level the work was proven', () => {
    const receipt = { type: 'receipt.written', key: 'receipt', file: '/runs/r/receipt.json', commit: 'abc' } as const;
    const report = reportOf([loopStarted(), ...twoIterations, receipt, stopped(allPassed)]);
    expect(report).toMatchObject({ done: true, not_proven: [], totals: { proven: 1, iterations: 2, tools: 5 } });
    expect(report.proven).toMatchObject([{ task: null, level: 'place', reviewed: null, commit: 'abc', receipt: '/runs/r/receipt.json' }]);
    expect(report.proven[0]?.gates.map(({ command }) => command)).toEqual(['pytest tests/', 'ruff check src/']);
    expect(report.next).toEqual([{ command: `ralph verify ${LOOP}`, why: 'run the checks of its receipts again' }]);
  });

  const red = [
    loopStarted(),
    opened(1),
    agentBegun(1),
    ended(1, { claim: tag }),
    ...checksRun(
      1,
      [
        [pytest, 0],
        [ruff, 1],
      ],
      'workspace',
      { output: 'one\ntwo\n' },
    ),
  ];

  it('has the last lines of red checks', () => {
    const report = reportOf([...red, closed(1, { claim: tag }), stopped(notDone('max_iterations', 'Maximum iterations reached.'))]);
    expect(report.not_proven).toMatchObject([
      { state: 'unproven', why: 'Maximum iterations reached.', red: [{ command: 'ruff check src/', ending: 'exit 1', lines: 'one\ntwo' }] },
    ]);
  });

  it('says in the timeline whether a check ran', () => {
    const told = (...bodies: readonly EventBody[]) => reportOf([...bodies, stopped(notDone('stuck', ''))]).timeline.map(({ text }) => text);
    expect(told(loopStarted(), opened(1), ended(1), closed(1, { result: 'green' }))).toContain('Iteration 1 ended, no check ran');
    expect(told(...red, closed(1, { result: 'red' }))).toContain('Iteration 1 ended red');
  });

  it('says that a run goes on, or that its process is gone', () => {
    expect(reportOf(red, 'running')).toMatchObject({ not_proven: [{ state: 'running' }], next: [{ command: `ralph runs tail ${LOOP} --follow` }] });
    expect(reportOf(red, 'dead')).toMatchObject({ not_proven: [{ state: 'interrupted' }], next: [{ command: `ralph runs resume ${LOOP}` }] });
  });
});

describe('the report of a run on stories', () => {
  const provenOf = (settings: RunSettings, bodies: readonly EventBody[]) =>
    reportOf([runStarted(settings), ...bodies, stopped({ ...allPassed, stop_reason: 'completed' })]).proven;

  it('calls a story reviewed when a reviewer has judged it, and no other', () => {
    const review = turn(1, 'review', { before: story('US-1', { reviewStatus: 'needs_review' }), after: approved('US-1') });
    expect(provenOf(storiesSettings(), review)).toMatchObject([{ task: 'US-1', reviewed: 'approved' }]);
    const passing = turn(1, 'implement', { before: story('US-1'), after: story('US-1', { passes: true }) });
    expect(provenOf(storiesSettings({ skipReview: true }, { gates: [gate] }), passing)).toMatchObject([{ task: 'US-1', reviewed: null }]);
  });
});

describe('the cost of a proven result', () => {
  const completed = stopped({ ...allPassed, stop_reason: 'completed' });
  const costing = (usd: number, bodies: readonly EventBody[]) =>
    bodies.map((body) => (body.type === 'attempt.ended' ? { ...body, spent: spentUsd(usd) } : body));
  const checked = (id: string, bodies: readonly EventBody[]) =>
    bodies.map((body) => (body.type === 'task.taken' ? { ...body, task: { ...planTask(id), verify: ['npm test'] } } : body));
  const A = costing(0.5, checked('A', doneTask(1, 'A')));
  const B = costing(1, checked('B', doneTask(2, 'B')));
  const unchecked = (iteration: number, id: string) => costing(0.25, doneTask(iteration, id));
  const receipt: EventBody = { type: 'receipt.written', key: 'receipt', file: '/runs/r/US-1.json', commit: 'abc', task: 'US-1' };
  const reviewed = turn(1, 'review', { before: story('US-1', { reviewStatus: 'needs_review' }), after: approved('US-1') });

  it.each<readonly [string, readonly EventBody[], number, number | null]>([
    ['a plan', [runStarted(workSettings()), ...A, ...B, completed], 2, 0.75],
    [
      'a plan with a task that has no check',
      [runStarted(workSettings()), ...A, ...unchecked(2, 'C'), ...checked('B', costing(1, doneTask(3, 'B'))), completed],
      2,
      0.875,
    ],
    ['a plan that begins with a task without a check', [runStarted(workSettings()), ...unchecked(1, 'C'), ...B, completed], 1, 1.25],
    ['a plan without any check', [runStarted(workSettings()), ...unchecked(1, 'C'), completed], 0, null],
    ['stories', [runStarted(storiesSettings()), ...costing(0.3, reviewed.slice(0, -1)), receipt, ...reviewed.slice(-1), completed], 1, 0.3],
    ['a loop', [loopStarted(), opened(1), ended(1, { spent: spentUsd(0.2), claim: tag }), closed(1, { accepted: true }), stopped(allPassed)], 1, 0.2],
  ])('is the same in summary, status, report and statistics: %s', (_name, bodies, proven, each) => {
    const { state, figures } = historyOf(given(...bodies));
    const stats = openStats();
    stats.add(figures);
    const { totals } = reportOf(bodies);
    expect(totals.proven).toBe(proven);
    const told = [totals, runView(state, 0), ...stats.stats()].map((view) => view.cost_per_proven_usd);
    expect(told).toEqual([each, each, each].map((usd) => (usd === null ? null : expect.closeTo(usd))));
    const { hasItems, hasTasks } = factsOf(state.run?.settings);
    const words = !hasItems || each === null ? '' : ` (${costText(each)} per proven ${hasTasks ? 'task' : 'story'})`;
    expect(spentText(state).replace(/, tokens.*/, '')).toBe(`${costText(totals.cost_usd ?? 0)}${words}`);
  });
});

describe('the time of a task', () => {
  it('leaves out the time in which the run was stopped', () => {
    const [first, ...rest] = given(
      loopStarted(),
      opened(1),
      { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } },
      closed(1),
    );
    const late = rest.map((event, index) => (index === 0 ? event : { ...event, at: event.at + 3_600_000 }));
    const history = historyOf(first ? [first, ...late] : []);
    expect(runReport(history, { status: 'dead', runFolder: '' }).by_task).toMatchObject([{ duration_ms: 1000 }]);
  });
});
