import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { openSuperviseFeed } from './supervise-feed.ts';
import { spentRestartsLines } from './supervise-life-lines.ts';
import { superviseRows, superviseTitle } from './supervise-rows.ts';
import { lifeText, restText } from './supervise-status.ts';
import { goOnRows, superviseSummaryRows } from './supervise-summary-rows.ts';

/** The screen of `ralph supervise` and `ralph job`. */
export const superviseScreen: RecipeScreen = {
  ...plainScreen,
  banner: { title: superviseTitle, rows: superviseRows },
  openFeed: openSuperviseFeed,
  lastWords: ({ outcome, state }) => spentRestartsLines(outcome, state),
  summaryRows: superviseSummaryRows,
  goOnRows,
  status: { ...plainStatus, waitsFor: restText, iteration: lifeText },
};
