import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { readStories } from '../review/stories-text.ts';

const PLUGIN = fileURLToPath(new URL('../../../plugin', import.meta.url));
const skill = readFileSync(join(PLUGIN, 'skills/ralph-plan/SKILL.md'), 'utf8');
const part = (heading: string) => skill.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';

describe('the planning skill', () => {
  it('is found by its name and by the phrases of the seed', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
    expect(head).toMatch(/^name: ralph-plan$/m);
    for (const phrase of ['/ralph-plan', '"plan this feature for ralph"', '"create a ralph prd"', '"generate tasks for ralph"']) expect(head).toContain(phrase);
  });

  it('points to ralph plan init where ralph/ is missing, and does nothing else', () => {
    expect(part('Before you begin')).toMatch(/no folder `ralph\/`, stop\. .*`ralph plan init`/);
  });

  it('asks questions after it has looked around, as often as needed', () => {
    expect(skill.indexOf('## Research before you ask')).toBeLessThan(skill.indexOf('## Mode 1'));
    expect(part('Mode 1: full planning')).toContain('There is no limit to the number of questions');
    expect(part('Mode 2: task derivation')).toMatch(/Ask only about what is ambiguous/);
  });

  it.each(['Mode 1: full planning', 'Mode 2: task derivation'])('writes in %s only after it has shown the draft and the user has said yes', (mode) => {
    const text = part(mode);
    const [shown, written] = [text.indexOf('Show'), text.indexOf('**Write**')];
    expect(shown).toBeGreaterThan(0);
    expect(written).toBeGreaterThan(shown);
    expect(text.slice(written)).toContain('only after the user has said yes');
  });

  it('writes both files in the first mode, and only the stories in the second', () => {
    expect(part('Mode 1: full planning')).toContain('`ralph/prd.md` and `ralph/tasks.json` only after');
    expect(part('Mode 2: task derivation')).toContain('do not write it anew');
  });

  it('has the rules of the seed for stories', () => {
    const rules = part('Rules for the stories');
    for (const rule of [
      'two or three sentences',
      'about 15 files read or about 8 files changed',
      'schema and database, then backend logic, then API routes, then frontend components, then integration and summary views',
      'Acceptance criteria can be checked with yes or no',
      '`dependsOn` is explicit',
      '`verifyCommands`',
      '`"passes": false`, `"reviewStatus": null`, `"reviewCount": 0`, `"reviewFeedback": ""`',
    ])
      expect(rules).toContain(rule);
  });

  it('shows a list that the loop accepts', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(skill) ?? [];
    expect(readStories(example).problems).toEqual([]);
  });
});

describe('the scripts of the plugin', () => {
  const run = (script: string, args: readonly string[], path: string) =>
    spawnSync('/bin/sh', [join(PLUGIN, 'scripts', script), ...args], { env: { PATH: path }, encoding: 'utf8' });

  it.each([
    ['ralph.sh', ['-n', '3', 'a b'], ['work', '--plan', 'ralph/tasks.json', '-n', '3', 'a b']],
    ['ralph.sh', ['--ralph-dir', 'x'], ['work', '--ralph-dir', 'x']],
    ['ralph.sh', ['--resume'], ['work', '--resume']],
    ['ralph-init.sh', ['--name', 'it is'], ['plan', 'init', '--name', 'it is']],
    ['ralph-archive.sh', ['--label', '$x'], ['plan', 'archive', '--label', '$x']],
  ])('%s %j calls ralph %j', async (script, args, called) => {
    await using folder = await openThrowAwayFolder();
    writeFileSync(join(folder.path, 'ralph'), '#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done\nexit 7\n');
    chmodSync(join(folder.path, 'ralph'), 0o755);
    expect(run(script, args, folder.path)).toMatchObject({ status: 7, stdout: `${called.join('\n')}\n` });
  });

  it.each(['ralph.sh', 'ralph-init.sh', 'ralph-archive.sh'])('%s says in one line that ralph is missing', async (script) => {
    await using folder = await openThrowAwayFolder();
    const { status, stdout, stderr } = run(script, [], folder.path);
    expect({ status, stdout }).toEqual({ status: 127, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]*ralph is not on PATH[^\n]*\n$/);
    execFileSync('sh', ['-n', join(PLUGIN, 'scripts', script)]);
  });
});
