import { plainScreen, plainStatus, type RecipeScreen } from '../../../report/console/recipe-screen.ts';
import { openWorkFeed } from './work-feed.ts';
import { workBanner } from './work-rows.ts';
import { statusParts } from './work-status.ts';
import { briefWorkSummaryLines } from './work-summary-lines.ts';

export const workScreen: RecipeScreen = {
  ...plainScreen,
  banner: workBanner,
  openFeed: openWorkFeed,
  briefSummary: briefWorkSummaryLines,
  status: { ...plainStatus, parts: statusParts },
};
