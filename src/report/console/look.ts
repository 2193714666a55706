import type { Glyphs } from './glyphs.ts';

/** How a screen is to look; the views differ in nothing else. */
export interface Look {
  readonly glyphs: Glyphs;
  /** Of a tool's output: how many lines are shown, and how many code points of each. */
  readonly outputLines: number;
  readonly outputChars: number;
  /** The time of day, or the day as well when that is far away. */
  readonly clock: (atMs: number) => string;
}
