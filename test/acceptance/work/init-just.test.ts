import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../../support/place.ts';
import { refused } from '../../support/refused.ts';

const template = readFileSync(new URL('../../../templates/justfile', import.meta.url), 'utf8');

describe.concurrent('ralph init --just', () => {
  it('writes a justfile and nothing else, and says so', async () => {
    await using place = await openPlace();
    const dry = await place.ralph(['init', '--just', '--dry-run']);
    const first = await place.ralph(['init', '--just']);
    const again = await place.ralph(['init', '--just', '--json']);

    expect(dry).toMatchObject({ code: 0, stdout: template });
    expect(first).toMatchObject({ code: 0, stdout: 'Recipes written to justfile; just --list shows them\n', stderr: '' });
    expect(JSON.parse(again.stdout)).toEqual({ file: 'justfile', written: false, import: null });
    expect(readFileSync(join(place.path, 'justfile'), 'utf8')).toBe(template);
    expect(place.everything().filter((name) => name.startsWith('place'))).toEqual(['place', 'place/justfile']);
  });

  it('does not change an existing justfile, and says what to import', async () => {
    await using place = await openPlace();
    await place.write('Justfile', 'build:\n');
    const { code, stdout } = await place.ralph(['init', '--just']);

    expect(code).toBe(0);
    expect(stdout).toBe("Recipes written to ralph.just\nJustfile already exists and was not changed. Add this line to it:\n\n  import 'ralph.just'\n\n");
    expect(readFileSync(join(place.path, 'Justfile'), 'utf8')).toBe('build:\n');
  });

  it.each([[['--yes']], [['--agent', 'claude']]])('writes no settings beside it: %j', async (flags) => {
    await using place = await openPlace();
    expect(await refused(place, ['init', '--just', ...flags])).toMatchObject({ code: 2, error: '--just writes no settings' });
    expect(place.everything()).not.toContain('place/justfile');
  });
});
