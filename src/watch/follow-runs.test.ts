import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendEvent, gone, holdRun, makeRun, stopped } from '../../test/support/made-runs.ts';
import { agentBegun, closed, judged, opened } from '../../test/support/run-events.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { notDone } from '../journal/words/outcome.ts';
import { inboxOf } from '../people/questions/read-inbox.ts';
import { runsWithStatusIn, stateOfRun } from '../runs/manage/find-run.ts';
import { followRuns } from './follow-runs.ts';
import { openReports } from './read-report.ts';

const asked = (text: string): EventBody => ({ type: 'question.asked', iteration: 0, story: null, question: { kind: 'question', text } });

describe('what ralph watch says needs a person', () => {
  it('is what ralph inbox says, of all runs: also of those that have ended, not of a death that a later run is over, nor of what is answered', async () => {
    await using folder = await openThrowAwayFolder();
    const runsFolder = join(folder.path, 'runs');
    await mkdir(runsFolder);
    await makeRun(runsFolder, '20260101-000000-aaaaaa', { cwd: '/a', after: [asked('Which account?'), stopped('waiting', 3)], writer: gone() });
    await makeRun(runsFolder, '20260101-000001-bbbbbb', { cwd: '/b', writer: gone() });
    const later = await makeRun(runsFolder, '20260101-000002-cccccc', { cwd: '/b', after: [asked('Which port?')] });
    const release = await holdRun(runsFolder, '20260101-000002-cccccc');
    const inbox = async () => (await inboxOf(await runsWithStatusIn([runsFolder]), { all: false, stateOf: stateOfRun, kept: async () => new Map() })).items;
    using runs = followRuns([runsFolder], null, folder.path);
    const needs = async (nowMs: number) => (await runs.look(nowMs)).flatMap((run) => run.needs.map(({ kind, text }) => [run.standing, kind, text]));

    expect(await needs(0)).toEqual([
      ['running', 'question', 'Which port?'],
      ['stopped', 'question', 'Which account?'],
    ]);
    expect((await inbox()).map(({ text }) => text)).toEqual(['Which port?', 'Which account?']);

    await mkdir(join(later, 'inbox'));
    await writeFile(join(later, 'inbox', '1-1.json'), JSON.stringify({ answer: '8080', by: 'ann', story: null }));
    expect((await inbox()).map(({ text }) => text)).toEqual(['Which account?']);
    expect(await needs(2_000)).toEqual([['stopped', 'question', 'Which account?']]);
    await release();
    expect((await runs.look(4_000)).map(({ standing, needs: open }) => [standing, open.length])).toContainEqual(['dead', 1]);
    await appendEvent(later, 3, asked('Which host?'));
    expect(await needs(6_000)).toContainEqual(['dead', 'question', expect.stringContaining('Which')]);
  });
});

describe('what an agent does', () => {
  it('is as old as the last output of the agent, for somebody who begins to watch later', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, '20260101-000000-aaaaaa', {
      settings: { agent: { kind: 'claude', command: 'claude', flags: [], model: null, autonomy: 'full' } },
      after: [opened(1), agentBegun(1)],
    });
    const release = await holdRun(folder.path, '20260101-000000-aaaaaa');
    const said = join(run, 'iterations', '001', '1-work', 'agent.jsonl');
    await mkdir(dirname(said), { recursive: true });
    await writeFile(said, `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'I read the tests.' }] } })}\n`);
    await utimes(said, 40, 40);
    using runs = followRuns([folder.path], null, folder.path);
    expect((await runs.look(60_000)).map(({ activity }) => [...activity.values()])).toEqual([[{ text: 'I read the tests.', atMs: 40_000 }]]);
    await release();
  });
});

describe('the report that ralph watch shows', () => {
  it('has the lines that tell why a check was red, also once the task is proven', async () => {
    await using folder = await openThrowAwayFolder();
    const gate = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 1_000 } as const;
    const red = (iteration: number, output: string): EventBody => {
      const body = judged(iteration, [[gate, 1]]);
      return body.type === 'gates.judged'
        ? { ...body, results: body.results.map((result) => ({ ...result, output: 'the beginning', output_end: output })) }
        : body;
    };
    const done: EventBody = { type: 'run.stopped', outcome: { ...notDone('completed', 'done', 0), claim: { by: 'response', text: 'DONE' } } };
    const tried = [opened(1), red(1, '1 is not 2'), closed(1), opened(2), red(2, '3 is not 4')];
    await makeRun(folder.path, '20260101-000000-aaaaaa', { after: tried });
    await makeRun(folder.path, '20260101-000001-bbbbbb', { after: [...tried, closed(2), done] });
    const tap = [
      'not ok 1 - the value of RED',
      "  error: '2 !== 1'",
      ...Array(12).fill('    at Test.run (node:internal/test_runner/test:632:9)'),
      '# tests 1',
      '# fail 1',
    ];
    await makeRun(folder.path, '20260101-000002-cccccc', { after: [opened(1), red(1, [...Array(20).fill('building'), ...tap].join('\n'))] });
    const report = openReports([folder.path]);
    const outputs = (reds: readonly { readonly lines: string }[]) => reds.map(({ lines }) => lines);

    const open = await report('20260101-000000-aaaaaa');
    expect(outputs(open?.not_proven[0]?.red ?? [])).toEqual(['3 is not 4']);
    expect(open?.earlier_red.map(({ iteration, red: reds }) => [iteration, outputs(reds)])).toEqual([[1, ['1 is not 2']]]);
    const [shown = ''] = outputs((await report('20260101-000002-cccccc'))?.not_proven[0]?.red ?? []);
    expect(shown.split('\n')).toHaveLength(15);
    expect(shown).toMatch(/the value of RED.*2 !== 1.*….*# fail 1$/s);
    const proven = await report('20260101-000001-bbbbbb');
    expect(proven?.earlier_red.map(({ task, red: reds }) => [task, outputs(reds)])).toEqual([
      [null, ['3 is not 4']],
      [null, ['1 is not 2']],
    ]);
  });
});
