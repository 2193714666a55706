import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendEvent, forgeLock, gone, holdRun, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openUiStage, type UiStage } from '../../../test/support/ui-stage.ts';
import { until } from '../../../test/support/until.ts';
import { begun, doneTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { HistoryView, IterationPage, Overview, RunPage } from '../view/page.ts';
import { openCleanJson } from './clean-json.ts';
import { openProject } from './project.ts';

const RUN = '20260101-000000-aaaaaa';
const standingOf = async (stage: UiStage) => (await stage.json<Overview>('/api/overview')).runs.map(({ run_id, standing }) => [run_id, standing]);

describe('what the server tells of a project', () => {
  it('is the fold of each journal, with the numbers of ralph report', async () => {
    await using stage = await openUiStage();
    await stage.addRecorded(RUN, 'run-red-then-green');
    const page = await stage.json<RunPage>(`/api/runs/${RUN}`);

    expect(page.report).toMatchObject({ status: 'stopped', done: true, exit_code: 0 });
    expect(page.bars.map(({ result, proven, ticks }) => [result, proven, ticks.map(({ green }) => green)])).toEqual([
      ['red', false, [false]],
      ['green', true, [true]],
    ]);
    expect(page.can).toEqual([]);
    const [first] = page.bars;
    const evidence = await stage.json<IterationPage>(`/api/runs/${RUN}/iterations/${first?.iteration}`);
    expect(evidence.proofs[0]?.gates[0]).toMatchObject({ green: false });
    expect((await stage.json<HistoryView>('/api/history')).gates[0]).toMatchObject({ runs: 2, red: 1 });
    expect(await stage.json(`/api/runs/${RUN}/diff`)).toEqual({ ansi: `patch of ${RUN}` });
  });

  it('calls nothing proven that nothing was configured to prove', async () => {
    await using stage = await openUiStage();
    await makeRun(stage.runsFolder, RUN, { settings: workSettings(), writer: gone(), after: [...doneTask(1, 'A')] });
    const { bars, report } = await stage.json<RunPage>(`/api/runs/${RUN}`);
    expect([bars.map(({ result, proven }) => [result, proven]), report.not_proven.map(({ state }) => state)]).toEqual([[['green', false]], ['unchecked']]);
  });

  it.each(['work', 'stories', 'supervise', 'loop', 'run-limited', 'run-interrupted', 'job', 'work-interrupted'])(
    'holds for a journal of %s, at every moment of it',
    async (journal) => {
      await using stage = await openUiStage();
      await stage.addRecorded(RUN, journal);
      const { seq, last_seq } = await stage.json<RunPage>(`/api/runs/${RUN}`);
      expect(seq).toBe(last_seq);
      for (const moment of [1, Math.ceil(seq / 3), Math.ceil(seq / 2), seq - 1].filter((each) => each > 0)) {
        const past = await stage.json<RunPage>(`/api/runs/${RUN}?seq=${moment}`);
        expect([past.seq, past.can]).toEqual([moment, []]);
        expect(past.bars.length).toBeLessThanOrEqual(moment);
      }
    },
  );

  it('adds up the cost of attempts that told none, so that the top, the days, the agents and the run agree; of a run that tells nothing it says so', async () => {
    await using stage = await openUiStage();
    const spent = (cost_usd: number) => ({ input: 10, cache_read: 0, cache_write: 0, output: 1, cost_usd, estimated: false });
    const attempts = [ended(1, { spent: spent(2) }), ended(1, { attempt: 2, spent: spent(3) }), ended(1, { attempt: 3, verdict: 'failed', spent: null })];
    const at = Date.now();
    await makeRun(stage.runsFolder, RUN, { at, after: [opened(1), ...attempts, closed(1), stopped('interrupted')] });
    const sums = async () => {
      const { days, agents } = await stage.json<HistoryView>('/api/history');
      return [(await stage.json<Overview>('/api/overview')).today, ...days, ...agents].map(({ cost_usd, cost_estimated, cost_incomplete }) => {
        return [cost_usd, cost_estimated, cost_incomplete];
      });
    };
    const { watch } = await stage.json<RunPage>(`/api/runs/${RUN}`);
    expect([watch.cost_usd, watch.cost_estimated]).toEqual([8, true]);
    expect(await sums()).toEqual(Array(3).fill([8, true, false]));

    await makeRun(stage.runsFolder, '20260101-000001-bbbbbb', { at, after: [opened(1), ended(1, { spent: null }), closed(1), stopped('interrupted')] });
    await until('the second run is seen', async () => (await standingOf(stage)).length === 2);
    expect(await sums()).toEqual(Array(3).fill([8, true, true]));
  });

  it('tells the tasks of a run as they stood at each moment, whatever its plan says by now, and of a dead run that nobody works on them', async () => {
    await using stage = await openUiStage();
    const seen = ['A', 'B'].map((id) => ({ id, title: id, needs: id === 'B' ? ['A'] : [], standing: id === 'B' ? ('waiting' as const) : ('ready' as const) }));
    const [taking, ...rest] = doneTask(1, 'A');
    const after = [{ ...taking, plan: { whole: true, tasks: seen } } as EventBody, ...rest, ...begun(2, 'B')];
    await makeRun(stage.runsFolder, RUN, { settings: workSettings(), writer: gone(), after });
    const standings = async (seq: number | null) => {
      const { tasks, watch } = await stage.json<RunPage>(`/api/runs/${RUN}${seq === null ? '' : `?seq=${seq}`}`);
      return [tasks?.map(({ id, standing }) => `${id} ${standing}`) ?? null, watch.progress?.done ?? null];
    };
    const releasedAt = after.findIndex(({ type }) => type === 'task.released') + 2;
    expect(await standings(1)).toEqual([null, null]);
    expect(await standings(2)).toEqual([['A held', 'B waiting'], 0]);
    expect(await standings(releasedAt)).toEqual([['A complete', 'B ready'], 1]);
    expect(await standings(after.length)).toEqual([['A complete', 'B held'], 1]);
    expect(await standings(null)).toEqual([['A complete', 'B ready'], 1]);
    const resultOf = async (moment: string) => (await stage.json<RunPage>(`/api/runs/${RUN}${moment}`)).bars.map(({ result }) => result);
    expect([await resultOf(`?seq=${after.length}`), await resultOf('')]).toEqual([
      ['green', null],
      ['green', 'abandoned'],
    ]);
    expect(Object.keys((await stage.json<Overview>('/api/overview')).runs[0]?.row.paths ?? {})).toEqual(['green', 'abandoned']);
  });

  it('shows the last 500 iterations of a long run, and counts all of them', async () => {
    await using stage = await openUiStage();
    const after = Array.from({ length: 600 }, (_, index) => [opened(index + 1), ended(index + 1), closed(index + 1)]).flat();
    await makeRun(stage.runsFolder, RUN, { writer: gone(), after });
    const { bars, report } = await stage.json<RunPage>(`/api/runs/${RUN}`);
    expect([bars.length, bars[0]?.iteration, report.totals.iterations, report.iterations_left_out]).toEqual([500, 101, 600, 100]);
  });

  it('says of a run that it lives only while its lock does', async () => {
    await using stage = await openUiStage();
    const { runsFolder } = stage;
    await makeRun(runsFolder, '20260101-000001-bbbbbb', { writer: gone() });
    await forgeLock(runsFolder, '20260101-000001-bbbbbb', gone());
    const folder = await makeRun(runsFolder, RUN);
    const release = await holdRun(runsFolder, RUN);
    expect(await standingOf(stage)).toEqual([
      ['20260101-000001-bbbbbb', 'dead'],
      [RUN, 'running'],
    ]);

    await appendEvent(folder, 2, stopped('interrupted'));
    await release();
    await until('the end is seen', async () => (await standingOf(stage)).some(([run, standing]) => run === RUN && standing === 'stopped'));
  });

  it('names the project of each run, and hostile names of files stay text', async () => {
    await using folder = await openThrowAwayFolder();
    const places = ['one', 'two<img src=x onerror=alert(1)>'].map((name) => ({ runsFolder: join(folder.path, name, 'runs'), cwd: join(folder.path, name) }));
    const paths = ['<img src=x onerror=alert(1)>.ts', 'line\nbreak.ts', 'gpj.\u202exe.ts'];
    const restored = { type: 'paths.restored', key: 'k', iteration: 1, attempt: 1, paths, kept: null } as const;
    for (const [index, { runsFolder }] of places.entries()) {
      await mkdir(runsFolder, { recursive: true });
      await makeRun(runsFolder, `20260101-00000${index}-aaaaaa`, { writer: gone(), after: [opened(1), restored] });
    }
    using project = openProject({ name: 'all', folders: async () => places, quotaFolder: null, readOnly: true });
    const text = openCleanJson((each) => each);
    const { runs } = JSON.parse(text(await project.overview(0))) as Overview;
    expect(runs.map((run) => run.project)).toEqual(['two<img src=x onerror=alert(1)>', 'one']);
    const evidence = text(await (await project.run('20260101-000000-aaaaaa', 0))?.iteration(1, null));
    expect(JSON.parse(evidence).restored).toEqual(['<img src=x onerror=alert(1)>.ts', 'line\nbreak.ts', expect.stringMatching(/^gpj\.[^\u202e]*xe\.ts$/)]);
  });

  it('passes over a journal that cannot be read, and sees runs that begin later', async () => {
    await using stage = await openUiStage();
    await mkdir(join(stage.runsFolder, RUN));
    await writeFile(join(stage.runsFolder, RUN, 'journal.jsonl'), 'nonsense\n');
    expect(await standingOf(stage)).toEqual([]);
    await stage.addRecorded('20260101-000002-cccccc', 'run-plain');
    await until('the new run is seen', async () => (await standingOf(stage)).length === 1);
  });

  it('contains no secret, no control character and nothing that a browser could take for more than text', async () => {
    await using stage = await openUiStage({ secrets: ['hunter2-hunter2'] });
    const text = '<script>alert(1)</script>\u001b]0;x\u0007\u001b[2J\u202eabc hunter2-hunter2 </textarea>';
    await makeRun(stage.runsFolder, RUN, {
      writer: gone(),
      settings: { prompt: { from: 'text', text } },
      after: [{ type: 'question.asked', iteration: 0, story: null, question: { kind: 'question', text } }],
    });
    const answer = await stage.ask('/api/overview');
    const body = await answer.text();

    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(body).not.toMatch(/hunter2|\\u001b|\\u0007|\u202e/);
    expect(JSON.parse(body).needs[0].text).toContain('<script>alert(1)</script>');
  });
});

/** The next server-sent events, as name, id and data. */
async function* eventsOf(answer: Response) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      );
      text = text.slice(end + 2);
      if (fields['event'] !== undefined) yield { event: fields['event'], id: fields['id'] ?? null, data: JSON.parse(fields['data'] ?? 'null') };
    }
  }
}

describe('the stream of events', () => {
  it('tells the whole once, then what is new, each with the position in the journal', async () => {
    await using stage = await openUiStage();
    const folder = await makeRun(stage.runsFolder, RUN);
    const release = await holdRun(stage.runsFolder, RUN);
    const events = eventsOf(await stage.ask(`/api/stream?run=${RUN}`));
    const first = [(await events.next()).value, (await events.next()).value];
    expect(first.map((each) => [each?.event, each?.id])).toEqual([
      ['overview', null],
      ['page', `${RUN}:1:running`],
    ]);

    await appendEvent(folder, 2, { type: 'iteration.opened', iteration: 1, lane: 1 });
    let next = (await events.next()).value;
    while (next?.event !== 'page') next = (await events.next()).value;
    expect([next.id, next.data.bars.length]).toEqual([`${RUN}:2:running`, 1]);
    await events.return();
    await release();
  });

  it('skips what a slow reader has missed, and tells one that comes back with its last event only what is new', async () => {
    await using stage = await openUiStage();
    const folder = await makeRun(stage.runsFolder, RUN);
    const release = await holdRun(stage.runsFolder, RUN);
    const path = `/api/stream?run=${RUN}`;
    const slow = eventsOf(await stage.ask(path));
    const idOfNext = async (events: typeof slow) => {
      for (;;) {
        const { value } = await events.next();
        if (value?.event === 'page') return value.id;
      }
    };
    expect(await idOfNext(slow)).toBe(`${RUN}:1:running`);
    for (let number = 1; number <= 40; number += 1) {
      await appendEvent(folder, number + 1, { type: 'iteration.opened', iteration: number, lane: 1 });
      // Everybody else sees each of them at once.
      await until('it is seen', async () => (await stage.json<RunPage>(`/api/runs/${RUN}`)).seq === number + 1);
    }
    const seen: (string | null)[] = [];
    while (seen.at(-1) !== `${RUN}:41:running`) seen.push(await idOfNext(slow));
    expect(seen.length).toBeLessThanOrEqual(3);

    const back = eventsOf(await stage.ask(path, { 'last-event-id': `${RUN}:41:running` }));
    await back.next();
    await appendEvent(folder, 42, { type: 'iteration.opened', iteration: 41, lane: 1 });
    expect(await idOfNext(back)).toBe(`${RUN}:42:running`);
    await Promise.all([slow.return(), back.return()]);
    await release();
  });

  it('is of the attempt of which the claim and the proofs are told, whichever agent began last and whoever wrote the commit message', async () => {
    await using stage = await openUiStage();
    const folder = await makeRun(stage.runsFolder, RUN, {
      writer: gone(),
      after: [opened(1), agentBegun(1), ended(1), opened(2, 2), agentBegun(2), agentBegun(1, 2)],
    });
    const say = async (iteration: string, attempt: string, text: string) => {
      await mkdir(join(folder, 'iterations', iteration, attempt), { recursive: true });
      await writeFile(join(folder, 'iterations', iteration, attempt, 'agent.jsonl'), `${text}\n`);
    };
    await Promise.all([say('001', '1-work', 'one'), say('001', '2-work', 'two'), say('001', '3-message', 'a message'), say('002', '1-work', 'three')]);
    const said = async (query: string) => {
      const events = eventsOf(await stage.ask(`/api/stream?run=${RUN}${query}`));
      let next = (await events.next()).value;
      while (next?.event !== 'agent') next = (await events.next()).value;
      await events.return();
      return [next.data.attempt, next.data.entries[0]?.ansi];
    };
    const told = async (iteration: number) => (await stage.json<IterationPage>(`/api/runs/${RUN}/iterations/${iteration}`)).attempt;

    expect([await said(''), await told(2)]).toEqual([['2.1', 'three'], '2.1']);
    expect([await said('&iteration=1'), await told(1)]).toEqual([['1.2', 'two'], '1.2']);
    await appendEvent(folder, 8, ended(1, { attempt: 2, claim: { by: 'response', text: 'DONE' } }));
    await appendEvent(folder, 9, ended(1, { attempt: 3, role: 'message' }));
    expect([await said('&iteration=1'), await told(1)]).toEqual([['1.2', 'two'], '1.2']);
  });

  it('shows within two seconds that the process of a run is gone', async () => {
    await using stage = await openUiStage();
    await makeRun(stage.runsFolder, RUN, { writer: gone() });
    const release = await holdRun(stage.runsFolder, RUN);
    const events = eventsOf(await stage.ask('/api/stream'));
    expect((await events.next()).value?.data.runs[0].standing).toBe('running');
    const killedMs = performance.now();
    await release();
    expect((await events.next()).value?.data.runs[0].standing).toBe('dead');
    expect(performance.now() - killedMs).toBeLessThan(2_000);
    await events.return();
  });

  it('does not repeat a page to whoever comes back with its id', async () => {
    await using stage = await openUiStage();
    const folder = await stage.addRecorded(RUN, 'run-plain');
    const { seq, run_id } = await stage.json<RunPage>(`/api/runs/${RUN}`);
    const events = eventsOf(await stage.ask(`/api/stream?run=${RUN}`, { 'last-event-id': `${run_id}:${seq}:stopped` }));
    expect((await events.next()).value?.event).toBe('overview');
    await mkdir(join(folder, 'iterations', '001', '1-work'), { recursive: true });
    await writeFile(join(folder, 'iterations', '001', '1-work', 'agent.jsonl'), `${'y'.repeat(10_000_000)}\n<img src=x onerror=alert(1)>\n`);
    const said = (await events.next()).value;
    expect(said?.event).toBe('agent');
    expect(JSON.stringify(said?.data).length).toBeLessThan(100_000);
    await events.return();
  });
});
