import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Instruction } from '../../src/journal/words/instruction.ts';
import { openBrowser, openUi, startUi, whyNoBrowser } from '../support/browser.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { until } from '../support/until.ts';
import { eventsIn, openWorkStage } from '../support/work-stage.ts';

const test = (name: string) =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { value } from '../src/${name}.js';\ntest('${name}', () => assert.strictEqual(value(), 1));\n`;
const files = {
  'package.json': '{\n  "type": "module"\n}\n',
  'src/A.js': 'export const value = () => 1;\n',
  'src/B.js': 'export const value = () => 1;\n',
  'test/A.test.js': test('A'),
  'test/B.test.js': test('B'),
};

/** A and B are green only with changed tests, B until it is told otherwise; C waits; E fails with its usual agent. */
const AGENT = `set_to() { sed -i "s/() => [12];/() => $1;/" src/$id.js; sed -i "s/value(), [12])/value(), $1)/" test/$id.test.js; }
if [ $id = A ]; then set_to 2; fi
if [ $id = B ]; then if grep -q 'Leave the tests alone' "$here/prompts/B.$nth"; then set_to 1; else set_to 2; fi; fi
if [ $id = E ] && [ "$1" != other ]; then exit 3; fi
work; if [ $id = C ]; then await go; fi; claim`;

describe.skipIf(skipLoudly(whyNoBrowser))('the page of ralph ui', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('accepts, requests changes, tries again with another agent, skips, stops, resumes and drains, each told with who and when', async () => {
    await using stage = await openWorkStage(['C', 'A', 'B', 'E', 'D'], AGENT, { files, edges: [['C', 'D']] });
    const { beside } = stage.repo;
    const agents = { usual: { command: 'sh', flags: [join(beside, 'agent.sh')] }, other: { command: 'sh', flags: [join(beside, 'agent.sh'), 'other'] } };
    await writeFile(join(stage.repo.path, '.ralph', 'settings.json'), JSON.stringify({ agents, shutdownGrace: { sigterm: '1s', sigint: '1s' } }));
    stage.repo.git('commit', '-qam', 'settings');
    const working = stage.start('work', '--pause', '0s', '--json', '--workers', '2', '--check', 'node --test', '--agents', 'usual,other');
    await stage.made('calls');
    const { running, address } = await startUi(stage);
    const { page, troubles } = await openUi(browser, address);
    const shows = (selector: string, text: string | RegExp) => page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
    const need = (task: string) => page.locator('.need').filter({ has: page.locator('strong', { hasText: new RegExp(`^${task}$`) }) });

    await need('A').getByText('Held claim').waitFor({ timeout: 60_000 });
    await need('A').getByRole('button', { name: 'Accept the claim' }).click();
    await shows('.notice', 'merges A');
    await need('B').getByText('Held claim').waitFor({ timeout: 60_000 });
    await need('B').getByRole('button', { name: 'Request changes…' }).click();
    await page.getByLabel('What should be different about B').fill('Leave the tests alone');
    await need('B').getByRole('button', { name: 'Send it back' }).click();
    await shows('.notice', 'try B again: Leave the tests alone');

    await page.getByRole('tab', { name: 'Board' }).click();
    await page.locator('.card', { hasText: 'Title of E' }).click();
    await page.locator('.tell summary').click();
    await page.locator('.card.failed', { hasText: 'Title of E' }).waitFor({ timeout: 60_000 });
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('other');
    await page.locator('.tell').getByRole('button', { name: 'Try again' }).click();
    await shows('.notice', 'try E again with other');
    await page.locator('.card', { hasText: 'Title of D' }).click();
    await page.getByRole('button', { name: 'Skip D' }).click();
    await shows('.notice', 'skip D');
    await shows('.requests li', /applied skip D/);
    await shows('.card.blocked', 'Title of D');
    await shows('.column', /Done 3/);

    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, stop' }).click();
    await shows('.run-head', 'stopped');
    expect((await working.ended).code).toBe(130);
    await page.getByRole('button', { name: 'Resume' }).click();
    await shows('.notice', 'continues in the background');
    await until('C is at work again', () => stage.calls().filter((id) => id === 'C').length === 2, 60_000);
    await page.getByRole('button', { name: 'Drain' }).click();
    await shows('.notice', 'finishes what has begun, then stops');
    await stage.make('go');
    await shows('.column', /Done 4/);
    await page.locator('.run-head .tag', { hasText: 'stopped' }).waitFor({ timeout: 60_000 });

    const byPage = / with ralph ui$/;
    // A stop is a signal too, in case nobody reads the inbox.
    const asked = eventsIn(stage, 'operator.asked').filter(({ by }) => byPage.test(`${by}`));
    expect(asked.map(({ what }) => what)).toEqual(['abort', 'drain']);
    expect(eventsIn(stage, 'operator.instructed').map(({ instruction, by }) => [(instruction as Instruction).kind, byPage.test(`${by}`)])).toEqual([
      ['again', true],
      ['again', true],
      ['skip', true],
    ]);
    expect(eventsIn(stage, 'run.resumed')).toMatchObject([{ by: expect.stringMatching(byPage) }]);
    const allowed = eventsIn(stage, 'task.taken').map(({ claim }) => (claim as { allowed?: { by: string } } | undefined)?.allowed?.by);
    expect(allowed.filter(Boolean)).toEqual([expect.stringMatching(byPage)]);
    expect(stage.prompts('B').at(-1)).toContain('Leave the tests alone');
    expect(troubles).toEqual([]);
    running.child.kill('SIGTERM');
    await running.ended;
  });
});
