import type { RunAgent } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Progress } from '../../journal/progress.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { GateFeed } from './gate-feed.ts';
import type { Line } from './line.ts';
import type { Change, DisplaySettings } from './look.ts';
import type { Ended } from './summary-lines.ts';

/** What a recipe adds to the banner. */
export interface RecipeBanner {
  /** Directly below the title. */
  title(settings: RunSettings, begins: 'Starting' | 'Resuming'): readonly Line[];
  /** At the end of the rows. */
  rows(settings: RunSettings): readonly Line[];
}

/** The events that a recipe shows in its own way. */
export interface RecipeFeed {
  /** Null: shown as in every run. */
  linesFor(body: EventBody, change: Change): readonly Line[] | null;
  hearProgress(progress: Progress, state: RunState): readonly Line[] | null;
}

/** What a recipe adds to the screen of a run. The command that starts a run passes its recipe's screen, so that no other is loaded. */
export interface RecipeScreen {
  readonly banner: RecipeBanner;
  openFeed(look: DisplaySettings, gates: GateFeed): RecipeFeed;
  /** Printed before the summary. */
  linesBeforeSummary(ended: Ended): readonly Line[];
  /** Among the rows of the summary. */
  summaryRows(ended: Ended): readonly Line[];
  /** What -q prints at the end; null: the two lines of every run, and `goOnRows`. */
  briefSummary(ended: Ended, look: DisplaySettings): readonly Line[] | null;
  goOnRows(ended: Ended): readonly Line[];
  readonly status: RecipeStatus;
}

/** What a recipe shows in the status line, which is rewritten in place. */
export interface RecipeStatus {
  /** The whole line except the cost; undefined: as in every run, null: no status line. */
  parts(state: RunState, nowMs: number): readonly string[] | null | undefined;
  /** What the run waits for when no effect is running. */
  waitsFor(state: RunState): { readonly what: string; readonly sinceMs: number | null } | null;
  /** The name of an iteration; null: its number. */
  iteration(iteration: number, state: RunState): readonly string[] | null;
  /** What the agent does; null: named by its role. */
  agent(effect: RunAgent, state: RunState): string | null;
}

export const plainStatus: RecipeStatus = { parts: () => undefined, waitsFor: () => null, iteration: () => null, agent: () => null };

export const plainScreen: RecipeScreen = {
  banner: { title: () => [], rows: () => [] },
  openFeed: () => ({ linesFor: () => null, hearProgress: () => null }),
  linesBeforeSummary: () => [],
  summaryRows: () => [],
  briefSummary: () => null,
  goOnRows: () => [],
  status: plainStatus,
};
