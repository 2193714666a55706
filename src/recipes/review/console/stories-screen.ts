import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { openStoriesFeed } from './stories-feed.ts';
import { storiesBanner } from './stories-rows.ts';
import { storiesFigures, storiesGoOnRows, storiesHeadline, storiesSummaryRows } from './stories-summary-lines.ts';
import { storiesIdleText, turnText } from './stories-text.ts';

export const storiesScreen: RecipeScreen = {
  ...plainScreen,
  banner: storiesBanner,
  openFeed: openStoriesFeed,
  headline: storiesHeadline,
  summaryRows: storiesSummaryRows,
  figures: ({ state }) => storiesFigures(state),
  goOnRows: storiesGoOnRows,
  status: {
    ...plainStatus,
    waitsFor(state) {
      const what = storiesIdleText(state);
      return what === null ? null : { what, sinceMs: null };
    },
    agent: turnText,
  },
};
