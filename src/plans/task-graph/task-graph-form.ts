import { draftOneFile, oneFile, pathspecOf, rewriteOneFile } from '../one-file.ts';
import type { PlanForm } from '../plan-form.ts';
import { draftTaskGraph } from './draft-task-graph.ts';
import { editTaskGraph } from './edit-task-graph.ts';

/** `task-graph.yaml` of seed 000. */
export function taskGraphForm(top: string, path: string): PlanForm {
  return {
    pathspecs: [pathspecOf(path)],
    files: oneFile(top, path),
    draft: (files) => draftOneFile(files, draftTaskGraph),
    edit: (files, plan, wanted) => rewriteOneFile(files, (text) => editTaskGraph(text, plan, wanted)),
    nearest: (status) => status,
  };
}
