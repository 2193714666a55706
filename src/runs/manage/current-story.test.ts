import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { makeRun, stopped } from '../../../test/support/made-runs.ts';
import { opened } from '../../../test/support/run-events.ts';
import { asked, seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { runView } from '../../report/views/run-view.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { currentStory } from './current-story.ts';
import { runsWithStatusIn } from './find-run.ts';

const settings = storiesSettings();
const reviewing = [seen(storyPlan(story('US-001'))), opened(1), turnBegun(1, 'review', 'US-001')];
const waiting = [seen(storyPlan(story('US-001'))), asked(1, 'US-001', 'Oak?'), stopped('waiting', 3)];

const viewAfter = (bodies: readonly EventBody[]) => JSON.stringify(runView(given(runStarted(settings), ...bodies).reduce(evolve, emptyState), 9000));

/** The list entry of a run with that journal and that run.json. */
async function atHand(bodies: readonly EventBody[], runJson: string | null, of: Partial<RunSettings> = settings) {
  await using place = await openThrowAwayFolder();
  const folder = await makeRun(place.path, '20260115-044055-abc123', { settings: of, after: bodies });
  if (runJson !== null) await writeFile(join(folder, 'run.json'), runJson);
  const [told] = await runsWithStatusIn([place.path]);
  return told ? currentStory(told) : 'no run';
}

describe('the list entry of a run on stories', () => {
  it('shows the current story while the run is active', async () => {
    expect(await atHand(reviewing, viewAfter(reviewing))).toEqual({ mode: 'review', story: 'US-001', question: null });
    const over = [...reviewing, stopped('interrupted', 130)];
    expect(await atHand(over, viewAfter(over))).toEqual({ mode: null, story: null, question: null });
  });

  it('shows the open question', async () => {
    expect(await atHand(waiting, viewAfter(waiting))).toEqual({ mode: null, story: null, question: { story: 'US-001', kind: 'question', text: 'Oak?' } });
  });

  it.each([
    ['is not there', null],
    ['is half written', '{"stories":'],
    ['is of an older version', '{"run_id":"r"}'],
    ['was made by somebody else', '{"stories":7}'],
  ])('shows no story when run.json %s', async (_name, text) => {
    expect(await atHand(reviewing, text)).toBeNull();
  });

  it('shows no story when run.json is a link', async () => {
    await using place = await openThrowAwayFolder();
    const folder = await makeRun(place.path, '20260115-044055-abc123', { settings, after: reviewing });
    await writeFile(join(place.path, 'elsewhere'), viewAfter(reviewing));
    await symlink(join(place.path, 'elsewhere'), join(folder, 'run.json'));
    const [told] = await runsWithStatusIn([place.path]);
    expect(told && currentStory(told)).toBeNull();
  });

  it('shows no story for any other run', async () => {
    expect(await atHand([opened(1)], viewAfter(reviewing), {})).toBeNull();
  });
});
