import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import type { StoriesSpec } from '../../src/settings/schema/stories-spec.ts';
import { play, started } from './play-on-console.ts';
import { storiesSpec } from './stories-spec.ts';
import type { Played } from './work-console.ts';

/** The first event of a run on stories, as it is played on a console. */
export const onStories = (spec: Partial<StoriesSpec> = {}, over: Partial<RunSettings> = {}): EventBody =>
  started({ recipe: 'stories', claims: [{ kind: 'promise', word: 'COMPLETE' }], maximumIterations: 15, stories: storiesSpec(spec), ...over });

/** What stands on the screen after the banner. */
export function shownOfStories(moments: Played, spec: Partial<StoriesSpec> = {}, over: Partial<RunSettings> = {}): string {
  const start = onStories(spec, over);
  return play([start, ...moments]).slice(play([start]).length);
}
