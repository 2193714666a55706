import type { RunAgent } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Progress } from '../../journal/progress.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { GateFeed } from './gates/gate-feed.ts';
import { type ProofBanner, plainProof } from './gates/proof-lines.ts';
import type { Line } from './line.ts';
import type { Change, DisplaySettings } from './look.ts';
import type { Ended } from './summary/ended.ts';

/** What a recipe adds to the banner. */
export interface RecipeBanner extends ProofBanner {
  /** What is worked on, at the end of the title; null: nothing to add. */
  about(settings: RunSettings): string | null;
  /** The limit that counts instead of the iterations; null: the iterations. */
  limit(settings: RunSettings): string | null;
  /** Its own settings, for --verbose. */
  rows(settings: RunSettings): readonly Line[];
  /** Below the rows. */
  after(begins: 'Starting' | 'Resuming', state: RunState, look: DisplaySettings): readonly Line[];
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
  /** Why the run ended, above the rows of the summary; null: the message of the outcome. */
  headline(ended: Ended, look: DisplaySettings): readonly Line[] | null;
  /** Among the rows of the summary. */
  summaryRows(ended: Ended): readonly Line[];
  /** What -q says besides time and cost. */
  figures(ended: Ended): readonly string[];
  /** Rows of the summary that -q prints too: what a person should know or do. */
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

export const plainBanner: RecipeBanner = { ...plainProof, about: () => null, limit: () => null, rows: () => [], after: () => [] };

export const plainScreen: RecipeScreen = {
  banner: plainBanner,
  openFeed: () => ({ linesFor: () => null, hearProgress: () => null }),
  headline: () => null,
  summaryRows: () => [],
  figures: () => [],
  goOnRows: () => [],
  status: plainStatus,
};
