import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { until } from './until.ts';
import type { WorkStage } from './work-stage.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? null;

/** For `skipLoudly`. */
export const whyNoBrowser = CHROMIUM === null ? 'the page of ralph ui in a browser: there is no chromium; as root, npm test installs it' : null;

/** A real browser. Its own sandbox needs rights that containers and root do not have; it only ever opens pages of ours. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** A page that fails the test with any error of its own, any refused script, and any request to elsewhere. */
export async function openUi(browser: Browser, address: string, look: Look = {}): Promise<{ readonly page: Page; readonly troubles: readonly string[] }> {
  const { colorScheme = 'light', width = 1440, height = 900 } = look;
  const page = await browser.newPage({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' });
  const troubles: string[] = [];
  page.setDefaultTimeout(30_000);
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('409')) troubles.push(message.text());
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(address).host) troubles.push(`asks elsewhere: ${request.url()}`);
  });
  await page.goto(address);
  return { page, troubles };
}

/** `ralph ui` in the place of a stage, and the address it prints. */
export async function startUi(stage: WorkStage, ...more: readonly string[]) {
  const running = stage.start('ui', '--port', '0', ...more);
  let printed = '';
  running.child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await until('the address is printed', () => /http:\S+\n/.test(printed));
  return { running, address: /http:\S+/.exec(printed)?.[0] ?? '' };
}

/** What axe finds wrong, each with its first place. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: readonly { id: string; nodes: readonly { html: string; failureSummary?: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`);
}
