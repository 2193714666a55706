import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import type { WorkSpec } from '../../src/settings/schema/work-spec.ts';
import { type Moment, play, started } from './play-on-console.ts';
import { workSpec } from './work-spec.ts';

export type Played = readonly (EventBody | Moment)[];

/** The first event of a run on a plan, as it is played on a console. */
export const working = (spec: Partial<WorkSpec> = {}, over: Partial<RunSettings> = {}): EventBody =>
  started({ recipe: 'work', claims: [], gates: [], maximumIterations: 0, work: workSpec(spec), ...over });

export const stoppedWith = (outcome: Outcome): EventBody => ({ type: 'run.stopped', outcome });

export const forStory = (story: string): Partial<WorkSpec> => ({ filter: { story, milestone: null, tags: [] } });

/** What stands on the screen after the banner. */
export function shownOfWork(moments: Played, spec: Partial<WorkSpec> = {}, over: Partial<RunSettings> = {}): string {
  const start = working(spec, over);
  return play([start, ...moments]).slice(play([start]).length);
}
