import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Instruction } from '../../src/journal/words/instruction.ts';
import type { Overview } from '../../src/web/view/page.ts';
import { axeViolations, openBrowser, openUi, startUi, whyNoBrowser } from '../support/browser.ts';
import { gone, makeRun } from '../support/made-runs.ts';
import { startRalph } from '../support/ralph.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { until } from '../support/until.ts';
import { eventsIn, openWorkStage } from '../support/work-stage.ts';

const HOSTILE = `<img src=x onerror=alert(1)>\\033]0;title\\007\\033[31mred\\033[0m <script>alert(2)</script>`;

/** T-1 waits for a file, T-2 asks, T-3 is red at first, T-5 fails at first. */
const AGENT = `printf '${HOSTILE}\\n'
if [ $id$nth = T-21 ]; then echo "<promise>BLOCKED: Which <b>account</b> shall I use?</promise>"; exit; fi
if [ $id$nth = T-31 ]; then echo broken >T-3.txt; save; claim; exit; fi
if [ $id$nth = T-51 ]; then exit 3; fi
work; if [ $id = T-1 ]; then await go; fi; claim`;
const CHECK = `if grep -q broken T-3.txt 2>/dev/null; then printf '\\033[31mFAIL\\033[0m <script>alert(3)</script>\\n'; exit 1; fi`;

const stageOf = () =>
  openWorkStage(['T-1', 'T-2', 'T-3', ['T-4', 'complexity: low'], 'T-5'], AGENT, { edges: [['T-1', 'T-4']], files: { 'check.sh': `${CHECK}\n` } });

describe.skipIf(skipLoudly(whyNoBrowser))('the page of ralph ui', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('shows a plan at work, takes an answer, a pause and a continue, and shows why a gate failed, until all is proven', async () => {
    await using stage = await stageOf();
    const working = stage.begin('--workers', '2', '--guardrail', 'sh check.sh');
    await stage.made('calls');
    const { running, address } = await startUi(stage);
    const { page, troubles } = await openUi(browser, address);
    const shows = (selector: string, text: string | RegExp) => page.locator(selector).filter({ hasText: text }).first().waitFor();

    await shows('.need', 'Which <b>account</b> shall I use?');
    expect(page.url()).not.toContain('token');
    expect(await page.title()).toMatch(/^\([12]\) Ralph/);
    expect(await axeViolations(page)).toEqual([]);
    await shows('.stream', '<img src=x onerror=alert(1)>red <script>alert(2)</script>');
    expect(await page.locator('.stream .ansi-red').first().textContent()).toBe('red');

    await page.getByLabel('Your answer about T-2').fill('the test account');
    await page.getByRole('button', { name: 'Answer' }).click();
    await shows('.notice', 'T-2 is answered');
    await page.getByRole('button', { name: 'Pause' }).click();
    await shows('.notice', 'is paused');
    await page.getByRole('button', { name: 'Continue' }).click();
    await shows('.notice', 'continues.');

    await page.getByRole('button', { name: /T-3: red/ }).click();
    await shows('.gate.red pre', 'FAIL <script>alert(3)</script>');
    await page.getByText('Changes of this iteration').click();
    await shows('.diff .added', '+broken');

    await page.getByLabel('What the next agent should know about T-5').fill('the port is free now');
    await page.getByRole('button', { name: 'Try again' }).click();
    await shows('.notice', 'try T-5 again: the port is free now');
    await page.getByRole('button', { name: 'Whole run' }).click();
    await page.locator('.tell summary').click();
    await page.getByLabel('A note for the next prompt').fill('mind the tests');
    await page.getByRole('button', { name: 'Leave the note' }).click();
    await shows('.requests li', /(seen|applied) note for the next agent: mind the tests/);
    await page.getByLabel('Cost limit in all, now none').fill('7');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByLabel('Cost limit in all, now $7.00').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Task graph' }).click();
    await shows('.node.held', 'T-1');
    await shows('.node.waiting', 'T-4');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Board' }).click();
    await shows('.column', 'T-3');
    expect(await axeViolations(page)).toEqual([]);

    await stage.make('go');
    await shows('.run-head', 'proven');
    await shows('.column', /Done 5/);
    await page.getByRole('tab', { name: 'Merge queue' }).click();
    await shows('.merges tr', /T-1\s*merged/);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'History' }).click();
    await shows('td', 'sh check.sh');
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Board' }).click();
    await page.locator('#moment').fill('3');
    await shows('.scrubber', 'As it was at');
    await shows('.column', /Done 0/);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await shows('.column', /Done 5/);

    expect(troubles).toEqual([]);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect((await stage.over(working)).code).toBe(0);
    expect(stage.prompts('T-2').at(-1)).toContain('the test account');
    expect(eventsIn(stage, 'operator.asked').map(({ what, by }) => `${what} ${by}`)).toEqual([
      expect.stringMatching(/^pause .+ with ralph ui$/),
      expect.stringMatching(/^go-on .+ with ralph ui$/),
    ]);
    expect(eventsIn(stage, 'question.answered').map(({ by }) => by)).toEqual([expect.stringMatching(/ with ralph ui$/)]);
    expect(eventsIn(stage, 'operator.instructed').map(({ instruction, by }) => [(instruction as Instruction).kind, by])).toEqual(
      ['again', 'note', 'budget'].map((kind) => [kind, expect.stringMatching(/ with ralph ui$/)]),
    );
    expect(stage.prompts('T-5').at(-1)).toContain('the port is free now');
  });

  it('works with the keyboard alone, in the dark, on a phone; and says of a killed run that it is dead', async () => {
    await using stage = await stageOf();
    const working = stage.begin('--workers', '2', '--guardrail', 'sh check.sh');
    await stage.made('calls');
    const { running, address } = await startUi(stage);
    const { page, troubles } = await openUi(browser, address, { colorScheme: 'dark', width: 390, height: 844 });
    const press = (...keys: readonly string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    const focused = () => page.evaluate<string>("document.activeElement?.placeholder || document.activeElement?.textContent || ''");
    const tabTo = async (text: RegExp) => {
      for (let presses = 0; presses < 60 && !text.test(await focused()); presses += 1) await press('Tab');
      expect(await focused()).toMatch(text);
    };

    await page.getByLabel('Your answer about T-2').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await press('Tab');
    expect(await focused()).toBe('Skip to the run');
    await tabTo(/^Your answer about T-2/);
    await page.keyboard.type('by hand');
    await press('Control+Enter');
    await page.locator('.notice').filter({ hasText: 'T-2 is answered' }).waitFor();
    await tabTo(/^Timeline$/);
    await press('ArrowRight', 'ArrowRight');
    expect(await focused()).toBe('Board');
    await press('ArrowLeft', 'ArrowLeft');
    await tabTo(/^T-\d$/);
    await press('ArrowLeft');
    await page.locator('.bar[aria-pressed="true"]:focus').waitFor();

    const killedMs = performance.now();
    working.child.kill('SIGKILL');
    await page.locator('.run-head').filter({ hasText: 'its process is gone' }).waitFor();
    expect(performance.now() - killedMs).toBeLessThan(2_500);
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(troubles).toEqual([]);
    running.child.kill('SIGTERM');
    await running.ended;
    await stage.over(working);
  });

  it('shows everything and offers nothing with --read-only, says so when its server hangs or is gone, and shows the same from a file', async () => {
    await using stage = await openWorkStage(['T-1'], '', { files: { 'agent.sh': 'cat >/dev/null; echo made >made.txt; echo "<response>DONE</response>"\n' } });
    await stage.ralph('run', '-p', 'Make it', '--agent', 'sh agent.sh', '--guardrail', 'test -e made.txt');
    const { running, address } = await startUi(stage, '--read-only');
    const { page } = await openUi(browser, address);
    await page.locator('.run-head').filter({ hasText: 'proven' }).waitFor();
    expect(await page.locator('.light').textContent()).toContain('read only');
    expect(await page.locator('.actions').count()).toBe(0);
    await page.getByText('Changes of the run').click();
    await page.locator('.diff .added').filter({ hasText: '+made' }).waitFor();
    const light = (text: string) => page.locator('.light').filter({ hasText: text }).waitFor();
    await page.clock.install();
    await page.reload();
    await light('Live');
    running.child.kill('SIGSTOP');
    await page.clock.fastForward(25_000);
    await light('Not connected');
    running.child.kill('SIGCONT');
    await light('Live');
    running.child.kill('SIGTERM');
    await running.ended;
    await light('Not connected');
    // The next server has another key. Whoever opens its address has given the key to this page, too.
    const again = await startUi(stage, '--read-only', '--port', new URL(address).port);
    await light('Open the address');
    await page.context().request.get(again.address);
    await light('Live');
    again.running.child.kill('SIGTERM');
    await again.running.ended;

    expect(await stage.ralph('ui', '--export', '../run.html')).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote') });
    const { page: file, troubles } = await openUi(browser, `file://${join(stage.repo.path, '..', 'run.html')}`);
    await file.locator('.run-head').filter({ hasText: 'proven' }).waitFor();
    expect(await file.locator('.light').textContent()).toContain('An exported run');
    await file.getByText('Changes of the run').click();
    await file.locator('.diff .added').filter({ hasText: '+made' }).waitFor();
    await file.locator('.gate').filter({ hasText: 'test -e made.txt' }).first().waitFor();
    await file.locator('#moment').fill('3');
    await file.locator('.scrubber').filter({ hasText: 'As it was at' }).waitFor();
    expect(troubles).toEqual([]);
  });
});

/** Project and standing of each run that a page tells, newest first. */
async function runsAt(address: string) {
  const cookie = (await fetch(address)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const { runs } = (await (await fetch(new URL('/api/overview', address), { headers: { cookie } })).json()) as Overview;
  return runs.map(({ project, standing }) => [project, standing]);
}

describe('the shipped page', () => {
  it('is at most 80 kB as it is sent', async () => {
    const { gzipSync } = await import('node:zlib');
    const files = ['index.html', 'app.js', 'graph-worker.js', 'app.css', 'icon.svg'];
    const bytes = files.map((name) => gzipSync(readFileSync(new URL(`../../dist/web/${name}`, import.meta.url))).length).reduce((sum, each) => sum + each, 0);
    expect(bytes).toBeLessThanOrEqual(80_000);
  });

  it('is served by a run with --ui for as long as that lasts', async () => {
    await using stage = await openWorkStage(['T-1'], 'work; await go; claim');
    const working = stage.begin('--ui');
    await until('the address is printed', () => /Mission control: http:\S+\n/.test(working.stderr()));
    const address = /http:\S+/.exec(working.stderr())?.[0] ?? '';
    expect(await runsAt(address)).toEqual([[expect.any(String), 'running']]);
    expect(address).toMatch(/#run=\S+$/);
    await stage.make('go');
    expect((await stage.over(working)).code).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  it('shows with --root the runs of every project in a folder, each with its name', async () => {
    await using folder = await openThrowAwayFolder();
    for (const [name, run] of [
      ['one', '20260101-000000-aaaaaa'],
      ['two', '20260101-000001-bbbbbb'],
    ] as const)
      await makeRun(join(folder.path, name, '.ralph', 'runs'), run, { writer: gone() });
    const running = startRalph(['ui', '--port', '0', '--root', folder.path], { cwd: tmpdir() });
    let printed = '';
    running.child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    await until('the address is printed', () => /http:\S+\n/.test(printed));
    expect(await runsAt(/http:\S+/.exec(printed)?.[0] ?? '')).toEqual([
      ['two', 'dead'],
      ['one', 'dead'],
    ]);
    running.child.kill('SIGTERM');
    await running.ended;
  });

  it('warns loudly when other machines can reach it', async () => {
    await using stage = await openWorkStage(['T-1'], 'work; claim');
    const running = stage.start('ui', '--port', '0', '--host', '0.0.0.0');
    await until('it warns', () => running.stderr().includes('WARNING: other machines can reach this page.'));
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(143);
  });
});
