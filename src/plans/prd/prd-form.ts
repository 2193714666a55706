import { basename } from 'node:path';
import { doneOrNot, oneFilePlan, type PlanForm } from '../plan-form.ts';
import { draftStories, editStories } from '../user-stories/user-stories.ts';

/** `prd.json` of snarktank/ralph and ralph-tui: user stories without a review. A story with `passes: true` is done. */
export const prdForm: PlanForm = {
  kind: 'prd',
  called: 'a prd.json',
  usualPaths: ['prd.json', 'scripts/ralph/prd.json', '.ralph-tui/prd.json', 'tasks/prd.json'],
  rank: 2,
  namesInFolder: ['prd.json'],
  recognises({ path, text, isFolder }) {
    if (isFolder || !/\.json$/i.test(path) || basename(path) === 'tasks.json') return false;
    const content = text();
    if (content === null || !content.includes('"userStories"')) return basename(path) === 'prd.json';
    return !content.includes('"reviewStatus"');
  },
  isReviewed: false,
  open: oneFilePlan({ draft: draftStories, edit: editStories, nearest: doneOrNot }),
};
