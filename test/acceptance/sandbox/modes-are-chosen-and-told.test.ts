import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { ralphWithoutBubblewrap } from '../../support/hostile-no-bubblewrap.ts';
import { openGitPlace, type Place } from '../../support/place.ts';

const RUN = ['run', '-p', 'Do it.', '-m', '1', '--guardrail', 'true', '--json'];
const WARNING = '[ralph] WARNING: Running with --dangerously-skip-permissions without sandbox isolation';
const AUTO = { env: { RALPH_SANDBOX: 'auto' } };
const AGENT = ['--agent', 'echo DONE'];

async function openPlaceWith(settings: object | null = null): Promise<Place> {
  const place = await openGitPlace();
  if (settings !== null) await place.write('.ralph/settings.json', JSON.stringify(settings));
  return place;
}

/** Nobody says anything, as far as the environment goes. */
const withoutBubblewrap = (place: Place, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ralphWithoutBubblewrap(args, { cwd: place.path, env: { HOME: place.beside, XDG_RUNTIME_DIR: place.beside, RALPH_SANDBOX: '', ...env } });

describe.skipIf(bubblewrapIsMissing())('the sandbox', () => {
  it('is that of the operating system where nobody says anything, and the banner, run.json and the result say so', async () => {
    await using place = await openPlaceWith();
    const { code, stderr, result } = await place.ralph([...RUN, ...AGENT], AUTO);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^ {2}sandbox {5}os: agents and checks work in a folder of their own, whose files land in yours/m);
    const told = { mode: 'os', forced: false, reason: null, gates: 'inside', workspace: 'isolated', refused_count: 0 };
    expect(result?.sandbox).toMatchObject(told);
    expect(JSON.parse(readFileSync(join(`${result?.run_folder}`, 'run.json'), 'utf8')).sandbox).toMatchObject(told);
  });

  it.each(['markdown', 'json'])('is in the report: %s', async (format) => {
    await using place = await openPlaceWith();
    const words = ['loop', 'Do it.', '--max-iterations', '1', '--check', 'true', '--agent', 'echo COMPLETE', '--report', format, '--report-file', 'report.txt'];
    await place.ralph(words, AUTO);
    const report = readFileSync(join(place.path, 'report.txt'), 'utf8');
    if (format === 'markdown') expect(report).toContain('| Sandbox | os');
    else expect(JSON.parse(report).sandbox).toMatchObject({ mode: 'os', forced: false });
  });

  it.each([
    ['the flag above all', { flags: ['--sandbox=os'], settings: 'guard', variable: 'guard' }, 'os'],
    ['--no-sandbox too', { flags: ['--no-sandbox'], settings: 'os', variable: 'os' }, 'guard'],
    ['the settings above the variable', { flags: [], settings: 'os', variable: 'guard' }, 'os'],
    ['the variable where nobody else says anything', { flags: [], settings: 'auto', variable: 'guard' }, 'guard'],
  ])('is the one that was named: %s', async (_, { flags, settings, variable }, mode) => {
    await using place = await openPlaceWith({ sandbox: { mode: settings } });
    const { result, stderr } = await place.ralph([...RUN, ...AGENT, ...flags], { env: { RALPH_SANDBOX: variable } });
    expect(result?.sandbox, stderr).toMatchObject({ mode, forced: true });
  });

  it('is none with --no-sandbox, which is warned of in the words of the seed', async () => {
    await using place = await openPlaceWith();
    const { stderr, result } = await place.ralph([...RUN, ...AGENT, '--no-sandbox'], AUTO);
    expect(stderr).toContain(WARNING);
    expect(result?.sandbox.workspace).toBe('place');
  });

  it.each([
    ['--sandbox=nonsense', {}, 2, 'nonsense'],
    ['--sandbox', {}, 4, 'sbx'],
    ['--verbose', { RALPH_SANDBOX: 'nonsense' }, 2, 'RALPH_SANDBOX'],
  ])('cannot be anything: %s with %j is exit %i', async (flag, env, code, named) => {
    await using place = await openPlaceWith();
    const run = await place.ralph([...RUN, ...AGENT, flag], { env: { ...AUTO.env, ...env } });
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code, stderr: expect.stringContaining(named) });
    expect(existsSync(join(place.path, '.git/ralph/runs'))).toBe(false);
  });

  it('without = before its mode is refused with the right spelling', async () => {
    await using place = await openPlaceWith();
    const run = await place.ralph(['loop', '--sandbox', 'os', '--agent', 'echo COMPLETE', '--check', 'true', '--max-iterations', '1'], AUTO);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--sandbox=os') });
  });
});

describe.skipIf(bubblewrapIsMissing())('without bubblewrap', () => {
  it('a sandbox that was named is exit 4 in one line with a hint, and nothing was written', async () => {
    await using place = await openPlaceWith();
    const before = place.everything();
    const { code, stderr, stdout } = await withoutBubblewrap(place, [...RUN, ...AGENT, '--sandbox=os']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.not.stringContaining('"done":true') });
    expect(stderr).toMatch(/^error: the sandbox "os" is not available: bubblewrap is not installed\nhint: .*apt-get install bubblewrap\n$/);
    expect(place.everything()).toEqual(before);
  });

  it('where nobody says anything the guard is all there is, and why is told', async () => {
    await using place = await openPlaceWith();
    const { code, stderr, stdout } = await withoutBubblewrap(place, [...RUN, ...AGENT]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(WARNING);
    expect(stderr).toContain('bubblewrap is not installed');
    expect(stderr).toContain('agents and checks work in a copy of your files, whose changes land in yours');
    expect(JSON.parse(stdout).sandbox).toMatchObject({ mode: 'guard', forced: false, workspace: 'copy', reason: expect.stringContaining('bubblewrap') });
    expect(JSON.parse((await withoutBubblewrap(place, [...RUN, ...AGENT, '--workspace=place'])).stdout).sandbox.workspace).toBe('place');
  });
});
