import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../../support/place.ts';
import { startRalph } from '../../support/ralph.ts';
import { approved, story, storyPlan } from '../../support/stories-spec.ts';
import { until } from '../../support/until.ts';

const TEXT = JSON.stringify(storyPlan(approved('US-001'), story('US-002')));
const PRD = '# What we want\n';

async function openPlanned(): Promise<Place> {
  const place = await openGitPlace();
  place.git('config', 'user.name', 't');
  place.git('config', 'user.email', 't@example.com');
  await place.ralph(['plan', 'init', '--name', 'demo']);
  await place.write('ralph/tasks.json', TEXT);
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'plan');
  await place.write('ralph/prd.md', PRD);
  return place;
}

const archivesIn = (place: Place) =>
  existsSync(join(place.path, 'ralph-archive')) ? readdirSync(join(place.path, 'ralph-archive')).filter((name) => !name.startsWith('.')) : [];
const textIn = (place: Place, name: string) => readFileSync(join(place.path, name), 'utf8');

describe.concurrent('ralph plan archive', () => {
  it('archives the plan, writes fresh templates and commits both', async () => {
    await using place = await openPlanned();
    const { code, stdout, stderr } = await place.ralph(['plan', 'archive', '--label', 'first try']);
    const [archive = ''] = archivesIn(place);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(archive).toMatch(/^\d{4}-\d\d-\d\d-first-try$/);
    expect(stdout).toContain(`Archived: ralph-archive/${archive}, 1 of 2 stories completed\nCommitted as ${place.git('rev-parse', 'HEAD').slice(0, 12)}\n`);
    expect(textIn(place, `ralph-archive/${archive}/tasks.json`)).toBe(TEXT);
    expect(textIn(place, `ralph-archive/${archive}/prd.md`)).toBe(PRD);
    expect(place.git('log', '-1', '--format=%s')).toBe('archive(ralph): first-try — 1/2 stories completed');
    expect(place.git('status', '--porcelain')).toBe('');
    expect((await place.ralph(['plan', 'archive'])).code).toBe(2);
    expect(archivesIn(place)).toEqual([archive]);
  });

  const inArchive = (place: Place, name: string) => existsSync(join(place.path, 'ralph-archive', name));
  const moments: readonly (readonly [string, (place: Place) => boolean])[] = [
    ['at once', () => true],
    ['as soon as it locks the directory', (place) => readdirSync(join(place.path, '.git')).some((name) => name.startsWith('ralph-lock'))],
    ['as soon as it copies', (place) => inArchive(place, '.partial')],
    ['as soon as it has saved its progress', (place) => inArchive(place, '.pending.json')],
    ['as soon as the archive has its name', (place) => archivesIn(place).length > 0],
    ['as soon as the PRD is replaced', (place) => textIn(place, 'ralph/prd.md') !== PRD],
    ['as soon as the plan is replaced', (place) => textIn(place, 'ralph/tasks.json') !== TEXT],
    ['as soon as git writes', (place) => existsSync(join(place.path, '.git/index.lock'))],
    ['as soon as it is committed', (place) => place.git('rev-list', '--count', 'HEAD') === '3'],
  ];

  it.each(moments)('loses nothing when it is killed %s, and is finished by the next one', async (_, isNow) => {
    await using place = await openPlanned();
    const running = startRalph(['plan', 'archive'], { cwd: place.path, env: { HOME: place.beside, XDG_RUNTIME_DIR: place.beside } });
    await until('the moment, or the end', () => isNow(place) || running.child.exitCode !== null);
    running.child.kill('SIGKILL');
    await running.ended;

    const kept = [join('ralph', 'tasks.json'), ...archivesIn(place).map((name) => join('ralph-archive', name, 'tasks.json'))];
    expect(kept.some((name) => textIn(place, name) === TEXT)).toBe(true);
    await until('an archive without a git of the killed one in its way', async () => [0, 2].includes((await place.ralph(['plan', 'archive'])).code ?? -1));
    const archives = archivesIn(place);
    expect(archives).toHaveLength(1);
    expect(textIn(place, `ralph-archive/${archives[0]}/tasks.json`)).toBe(TEXT);
    expect(textIn(place, `ralph-archive/${archives[0]}/prd.md`)).toBe(PRD);
    expect(textIn(place, 'ralph/tasks.json')).not.toBe(TEXT);
    expect(place.git('status', '--porcelain')).toBe('');
    expect(place.git('rev-list', '--count', 'HEAD')).toBe('3');
  });
});
