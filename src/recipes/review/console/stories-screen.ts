import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { openStoriesFeed } from './stories-feed.ts';
import { storiesBanner } from './stories-rows.ts';
import { briefStoriesSummaryLines } from './stories-summary-lines.ts';
import { storiesIdleText, turnText } from './stories-text.ts';

export const storiesScreen: RecipeScreen = {
  ...plainScreen,
  banner: storiesBanner,
  openFeed: openStoriesFeed,
  briefSummary: briefStoriesSummaryLines,
  status: {
    ...plainStatus,
    waitsFor(state) {
      const what = storiesIdleText(state);
      return what === null ? null : { what, sinceMs: null };
    },
    agent: turnText,
  },
};
