import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { openBrowser, openUi, whyNoBrowser } from '../support/browser.ts';
import { spentUsd } from '../support/loop-journal.ts';
import { appendEvent, gone, holdRun, makeRun, stopped } from '../support/made-runs.ts';
import { ralph } from '../support/ralph.ts';
import { openRepo } from '../support/repo.ts';
import { agentBegun, closed, ended, opened } from '../support/run-events.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { openUiStage } from '../support/ui-stage.ts';
import { begun, doneTask, failedTask, merged, released, settled } from '../support/work-journal.ts';
import { workSettings } from '../support/work-spec.ts';

const id = (letter: string) => `20260101-000000-${letter.repeat(6)}`;
const KEPT = `refs/ralph/kept/${id('a')}/files/1-2`;

const agentOf = (command: string): RunSettings['agent'] => ({ kind: 'command', command, flags: [], model: null, autonomy: 'full' });
const nearBudget: readonly EventBody[] = [
  opened(1),
  ended(1, { spent: spentUsd(8.5) }),
  { type: 'budget.neared', spent_usd: 8.5, limit_usd: 10, estimated: false },
  { type: 'wall.refused', what: 'network', target: 'evil.example:443' },
  { type: 'wall.refused', what: 'history', target: 'your own change stays', kept: { ref: KEPT, paths: ['a.txt'] } },
  { type: 'paths.restored', key: 'restore:1.1', iteration: 1, attempt: 1, paths: ['test/secret.test.ts'], kept: null },
];
const conflict = [...begun(2, 'B'), settled(2), merged(2, { result: 'conflict', commit: null, conflicts: ['a.ts'] }), released(2, 'B', 'conflict')];
const failed = failedTask(1, 'A').map((body) => (body.type === 'attempt.ended' ? { ...body, last_words: 'There is no key.' } : body));
const logout = ended(1, { verdict: 'failed', why: 'Invalid API key', cause: { class: 'permanent', kind: 'login' } });

describe.skipIf(skipLoudly(whyNoBrowser))('the page of ralph ui', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('shows each kind of need with what the agent said last, and sends what a person does about it', async () => {
    await using stage = await openUiStage({ patchOf: () => Array.from({ length: 3_005 }, (_, index) => `+line ${index}`).join('\n') });
    const { runsFolder } = stage;
    await using repo = await openRepo();
    repo.git('init', '-q', stage.path);
    repo.git('-C', stage.path, 'update-ref', KEPT, repo.git('-C', stage.path, 'hash-object', '-w', join(repo.path, 'readme.txt')).trim());
    await makeRun(runsFolder, id('a'), {
      settings: { budget: { costUsd: 10, timeMs: 0 }, agent: agentOf('usual'), fallback: [agentOf('other')] },
      after: nearBudget,
    });
    const release = await holdRun(runsFolder, id('a'));
    // A later run in the same place would be the next try.
    await makeRun(runsFolder, id('b'), { cwd: '/one', after: [opened(1), logout, stopped('fatal', 4)] });
    await makeRun(runsFolder, id('d'), { cwd: '/other', after: [opened(1), closed(1), stopped('dead_gate', 2)] });
    await makeRun(runsFolder, id('e'), { settings: workSettings(), writer: gone(), after: [...failed, ...conflict, stopped('blocked')] });
    const { page, troubles } = await openUi(browser, `${await stage.serve()}#run=${id('a')}`);
    const need = (kind: string) => page.locator('.need').filter({ has: page.locator('.tag', { hasText: kind }) });

    await need('Budget').getByText('$8.50 of the cost limit of $10.00 is spent').waitFor();
    await need('Budget').getByLabel('New cost limit in all, in dollars').fill('20');
    await need('Budget').getByRole('button', { name: 'Raise' }).click();
    await page.getByText('carried out 1').waitFor();
    await need('Logged out').getByRole('button', { name: 'Continue the run' }).click();
    await page.getByText('carried out 2').waitFor();
    await need('Kept')
      .locator('.command', { hasText: `git checkout ${KEPT} -- a.txt` })
      .waitFor();
    await need('Dead check').getByRole('button', { name: 'Continue the run' }).waitFor();
    await need('Failed').getByText('The agent said: "There is no key."').waitFor();
    await need('Conflict').getByLabel('What the next agent should know about B').fill('keep both');
    await need('Conflict').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('carried out 3').waitFor();

    await page.getByText('Refused by the sandbox').waitFor();
    await page.locator('.notes', { hasText: 'evil.example:443' }).waitFor();
    await page.locator('.evidence div', { hasText: /^Revertedtest/ }).waitFor();
    await page.getByText('Changes of the run').click();
    await page.getByText('… 5 more lines are not shown.').waitFor();
    await page.locator('.tell summary').click();
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('other');
    await page.getByRole('button', { name: 'Use this agent' }).click();
    await page.getByText('carried out 4').waitFor();

    expect(troubles).toEqual([]);
    expect(stage.actions).toEqual([
      { kind: 'instruct', run: id('a'), instruction: { kind: 'budget', usd: 20 } },
      { kind: 'resume', run: id('b') },
      { kind: 'instruct', run: id('e'), instruction: { kind: 'again', task: 'B', text: 'keep both', agent: null } },
      { kind: 'instruct', run: id('a'), instruction: { kind: 'again', task: null, text: null, agent: 'other' } },
    ]);
    await release();
  });

  it('says when it is not connected, and goes on where it was: no event is missing, and none is there twice', async () => {
    await using stage = await openUiStage();
    const folder = await makeRun(stage.runsFolder, id('a'), { after: [opened(1), agentBegun(1)] });
    const release = await holdRun(stage.runsFolder, id('a'));
    const said = join(folder, 'iterations', '001', '1-work', 'agent.jsonl');
    await mkdir(dirname(said), { recursive: true });
    let count = 2;
    const happen = async () => {
      count += 1;
      await appendFile(said, `word ${count}\n`);
      await appendEvent(folder, count + 1, { type: 'operator.instructed', instruction: { kind: 'note', task: null, text: `note ${count}` }, by: 'ann' });
    };
    const address = await stage.serve();
    const { page } = await openUi(browser, address);
    const light = (text: string) => page.locator('.light', { hasText: text }).waitFor();
    const seen = (selector: string, word: string) =>
      page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')].flatMap(({ textContent }) => textContent.match(/${word} \\d+/g) ?? [])`);
    const expectAll = async () => {
      await page.locator('.scrubber', { hasText: `${count + 1}/${count + 1}` }).waitFor();
      await page.locator('.stream', { hasText: `word ${count}` }).waitFor();
      const numbers = Array.from({ length: count - 2 }, (_, index) => index + 3);
      expect(await seen('.stream .said', 'word')).toEqual(numbers.map((each) => `word ${each}`));
      expect((await seen('.story li', 'note')).toReversed()).toEqual(numbers.map((each) => `note ${each}`));
    };
    await happen();
    await happen();
    await expectAll();
    await light('Live');

    // Whatever happens while the server is gone is shown when it is back at its port.
    await stage.stopServing();
    await light('Not connected');
    await happen();
    await happen();
    const asked: Promise<string | undefined>[] = [];
    page.on('response', (response) =>
      asked.push(
        response
          .request()
          .allHeaders()
          .then((headers) => headers['last-event-id']),
      ),
    );
    await stage.serve(Number(new URL(address).port));
    await light('Live');
    await happen();
    await expectAll();
    // What was open then ends where the slider is, and not now.
    await page.locator('#moment').fill('3');
    await page.getByRole('button', { name: /^Iteration 1: open, 0s$/ }).waitFor();
    expect(await Promise.all(asked)).toContain(`${id('a')}:5:running`);
    await release();
  });

  it('exports a run on a plan with all its views, and the file says what it leaves out', async () => {
    await using repo = await openRepo();
    const base = repo.git('rev-parse', 'HEAD').trim();
    await repo.write('big.txt', 'a line of a big file\n'.repeat(12_000));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'big');
    const commit = repo.git('rev-parse', 'HEAD').trim();
    const seen = ['A', 'B'].map((task) => ({ id: task, title: `Title of ${task}`, needs: task === 'B' ? ['A'] : [], standing: 'ready' as const }));
    const done = doneTask(1, 'A').map((body): EventBody => {
      if (body.type === 'task.taken') return { ...body, plan: { whole: true, tasks: seen } };
      if (body.type === 'workspace.opened') return { ...body, base };
      if (body.type === 'plan.settled') return { ...body, head: commit };
      return body.type === 'merge.judged' ? { ...body, commit } : body;
    });
    const more = Array.from({ length: 105 }, (_, index) => failedTask(index + 2, 'B')).flat();
    const runsFolder = join(repo.path, '.git', 'ralph', 'runs');
    await mkdir(runsFolder, { recursive: true });
    await makeRun(runsFolder, id('a'), { settings: workSettings(), writer: gone(), after: [...done, ...more, stopped('blocked')] });
    expect(await ralph(['ui', '--export', 'run.html'], { cwd: repo.path })).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote run.html') });

    expect(await readFile(join(repo.path, 'run.html'), 'utf8')).toMatch(/\d+ more characters are not in this file/);
    const { page, troubles } = await openUi(browser, `file://${join(repo.path, 'run.html')}`);
    await page.locator('.run-head').waitFor();
    await page.getByText('Changes of the run').click();
    await page.getByText(/more lines are not shown/).waitFor();
    await page.getByRole('button', { name: 'Iteration 1, A: green' }).click();
    await page.getByText('The evidence of iteration 1 is not in this file, which has that of the last 100.').waitFor();
    await page.getByText('What it said is not in this file.').waitFor();
    await page.getByRole('tab', { name: 'Task graph' }).click();
    await page.locator('.node.complete', { hasText: 'A' }).waitFor();
    await page.getByRole('tab', { name: 'Board' }).click();
    await page.locator('.column', { hasText: 'Title of B' }).waitFor();
    await page.getByRole('tab', { name: 'Merge queue' }).click();
    await page.locator('.merges tr', { hasText: commit.slice(0, 7) }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Results and cost by day').waitFor();
    expect(troubles).toEqual([]);
  });
});
