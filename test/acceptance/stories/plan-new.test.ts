import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../../support/place.ts';
import { CTRL_C, openPty } from '../../support/pty.ts';
import { refused } from '../../support/refused.ts';
import { terminalIsMissing } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

/** An agent that saves its prompt and runs until Ctrl-C. */
const AGENT = `#!/bin/sh
for word; do printf '%s\\n' "$word"; done > "$HOME/told"
[ -t 0 ] && [ -t 1 ] || exit 9
trap 'echo interrupted; exit 33' INT
printf 'What do you want? '
read -r answer
echo "You want $answer"
exit 7
`;

async function openPlanned(): Promise<Place> {
  const place = await openPlace();
  await place.ralph(['plan', 'init']);
  await place.write('../beside/claude', AGENT, 0o755);
  await place.write('../beside/codex', AGENT, 0o755);
  return place;
}

const told = (place: Place) => readFileSync(join(place.beside, 'told'), 'utf8');

describe.skipIf(terminalIsMissing())('ralph plan new', () => {
  it('starts claude interactively with the skill of the plugin, and returns its exit code', async () => {
    await using place = await openPlanned();
    const agent = join(place.beside, 'claude');
    await using pty = openPty(['plan', 'new', '--agent', agent, '--model', 'opus'], { cwd: place.path, beside: place.beside });
    await pty.answer('What do you want? ', 'a shop');
    expect(await pty.exitCode()).toBe(7);
    expect(pty.screen()).toContain('You want a shop');
    const [flag, plugin = '', ...rest] = told(place).trimEnd().split('\n');
    expect([flag, ...rest]).toEqual(['--plugin-dir', '--model', 'opus', '/ralph:ralph-plan']);
    expect(existsSync(join(plugin, 'skills/ralph-plan/SKILL.md'))).toBe(true);
  });

  it('gives any other agent the text of the skill, and leaves Ctrl-C to it', async () => {
    await using place = await openPlanned();
    await using pty = openPty(['plan', 'new', '--agent', join(place.beside, 'codex')], { cwd: place.path, beside: place.beside });
    await pty.asks('What do you want? ');
    pty.type(CTRL_C);
    expect(await pty.exitCode()).toBe(33);
    expect(pty.screen()).toContain('interrupted');
    expect(told(place)).toMatch(/^Do what follows, together with me, in this directory\.\n\n# Plan a feature for the Ralph loop\n/);
  });

  it('needs a plan to fill in and an installed agent', async () => {
    await using place = await openPlanned();
    await using missing = openPty(['plan', 'new', '--agent', 'no-such-agent-here'], { cwd: place.path, beside: place.beside });
    expect(await missing.exitCode()).toBe(4);
    await using elsewhere = openPty(['plan', 'new'], { cwd: place.beside, beside: place.beside });
    expect(await elsewhere.exitCode()).toBe(2);
    await until('the hint', () => elsewhere.screen().includes('ralph plan init'));
  });
});

it('ralph plan new needs a terminal, and says so in one line', async () => {
  await using place = await openPlanned();
  expect(await refused(place, ['plan', 'new'])).toMatchObject({ code: 2, error: 'ralph plan new requires an interactive terminal' });
});
