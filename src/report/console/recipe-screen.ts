import type { RunAgent } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Progress } from '../../journal/progress.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { GateFeed } from './gate-feed.ts';
import type { Line } from './line.ts';
import type { Change, Look } from './look.ts';
import type { Ended } from './summary-lines.ts';

/** What a recipe adds to the banner. */
export interface RecipeBanner {
  /** Right below the title. */
  title(settings: RunSettings, begins: 'Starting' | 'Resuming'): readonly Line[];
  /** At the end of the rows. */
  rows(settings: RunSettings): readonly Line[];
}

/** What a recipe tells in its own way. */
export interface RecipeFeed {
  /** Null: as every run tells it. */
  hear(body: EventBody, change: Change): readonly Line[] | null;
  hearProgress(progress: Progress, state: RunState): readonly Line[] | null;
}

/** What a recipe adds to the screen of a run. The command that starts a run hands in the one of its recipe, so that no other is loaded. */
export interface RecipeScreen {
  readonly banner: RecipeBanner;
  openFeed(look: Look, gates: GateFeed): RecipeFeed;
  /** Before the summary. */
  lastWords(ended: Ended): readonly Line[];
  /** Among the rows of the summary. */
  summaryRows(ended: Ended): readonly Line[];
  /** What -q prints at the end; null: the two lines of every run, and `goOnRows`. */
  briefSummary(ended: Ended, look: Look): readonly Line[] | null;
  goOnRows(ended: Ended): readonly Line[];
  readonly status: RecipeStatus;
}

/** What a recipe says in the one line that is written anew again and again. */
export interface RecipeStatus {
  /** All of the line but the money; undefined: as every run says it, null: there is nothing to wait for. */
  parts(state: RunState, nowMs: number): readonly string[] | null | undefined;
  /** What the run waits for while nothing is in flight. */
  waitsFor(state: RunState): { readonly what: string; readonly sinceMs: number | null } | null;
  /** Which iteration it is; null: by its number. */
  iteration(iteration: number, state: RunState): readonly string[] | null;
  /** What the agent is at; null: by its role. */
  agent(effect: RunAgent, state: RunState): string | null;
}

export const plainStatus: RecipeStatus = { parts: () => undefined, waitsFor: () => null, iteration: () => null, agent: () => null };

/** `ralph run` and `ralph loop` add nothing. */
export const plainScreen: RecipeScreen = {
  banner: { title: () => [], rows: () => [] },
  openFeed: () => ({ hear: () => null, hearProgress: () => null }),
  lastWords: () => [],
  summaryRows: () => [],
  briefSummary: () => null,
  goOnRows: () => [],
  status: plainStatus,
};
