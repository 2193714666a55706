import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/settings/load-settings.ts';
import { openPlace } from '../support/place.ts';
import { processesOf } from '../support/processes-of.ts';
import { until } from '../support/until.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** What the picture of the demo is made of: test/docs/pictures.test.ts. */
const demo = readFileSync(new URL('../fixtures/screens/demo.txt', import.meta.url), 'utf8');

/** The only code block of that language. */
function blockOf(language: string): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? '';
}

/** Times and costs differ from run to run; everything else must match. */
const unmeasured = (line: string) => line.replaceAll(/\$?\d+(\.\d+)?(ms|s|m)?\b/g, '#').trimEnd();

describe('the README', () => {
  it('shows what the demo prints, line by line, and the demo leaves nothing behind', async () => {
    await using place = await openPlace();
    const temporary = join(place.beside, 'tmp');
    await mkdir(temporary);
    const { code, stdout, stderr } = await place.ralph(['demo', '--fast'], { env: { TMPDIR: temporary } });

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const shown = demo.split('\n').filter((line) => line !== '' && line !== '…');
    const printed = stderr.split('\n').map(unmeasured);
    let at = 0;
    for (const line of shown) {
      const found = printed.indexOf(unmeasured(line), at);
      expect(found, `${line}\nis not where the picture shows it in\n${stderr}`).toBeGreaterThanOrEqual(at);
      at = found + 1;
    }
    expect(stderr.match(/^=== Ralph iteration /gm)).toHaveLength(3);
    expect(await readdir(temporary)).toEqual([]);
    expect(await readdir(place.path)).toEqual([]);
    await until('every process of the demo is gone', () => processesOf(place.beside).length === 0);
  });

  it('shows the example settings of the seed: lint, tests and a commit', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', blockOf('json'));

    expect((await loadSettings(place.path)).settings).toMatchObject({
      agent: { command: 'claude', flags: ['--model opus'] },
      guardrails: [{ command: 'make lint' }, { command: 'make test' }],
      scm: { command: 'git', tasks: ['commit'] },
    });
  });
});
