import { draftOneFile, oneFile, pathspecOf, rewriteOneFile } from '../one-file.ts';
import type { PlanForm } from '../plan-form.ts';
import { draftStories } from './draft-stories.ts';
import { editStories } from './edit-stories.ts';

/** `tasks.json` of seed 003, and `prd.json`, which it comes from. */
export function storiesForm(top: string, path: string): PlanForm {
  return {
    pathspecs: [pathspecOf(path)],
    files: oneFile(top, path),
    draft: (files) => draftOneFile(files, draftStories),
    edit: (files, _plan, wanted) => rewriteOneFile(files, (text) => editStories(text, wanted)),
    nearest: (status) => (status === 'complete' ? 'complete' : 'pending'),
  };
}
