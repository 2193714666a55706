import { basename } from 'node:path';
import { doneOrNot, oneFilePlan, type PlanForm } from '../plan-form.ts';
import { draftStories, editStories } from '../user-stories/user-stories.ts';

/** `tasks.json` of seed 003: user stories with the state of their review. */
export const storiesForm: PlanForm = {
  kind: 'stories',
  called: 'a tasks.json with user stories',
  usualPaths: ['ralph/tasks.json', 'tasks.json'],
  rank: 1,
  namesInFolder: ['tasks.json'],
  recognises({ path, text, isFolder }, isNamed) {
    if (isFolder) return false;
    if (isNamed) return /\.json$/i.test(path) || (text()?.trimStart().startsWith('{') ?? false);
    // This path is a plan even while the file is broken. Many projects have another tasks.json of another kind.
    return path === 'ralph/tasks.json' || (text()?.includes('"userStories"') ?? basename(path) === 'tasks.json');
  },
  isReviewed: true,
  open: oneFilePlan({ draft: draftStories, edit: editStories, nearest: doneOrNot }),
};
