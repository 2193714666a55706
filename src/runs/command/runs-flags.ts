import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { RunFilter } from '../manage/runs-folders.ts';

export interface LocatedFlags {
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly json?: boolean;
}

export function whereOf({ root, project, task }: LocatedFlags): RunFilter {
  if (root === '') throw new OperatorError('usage', '--root is ""', { hint: 'Give it a folder.', exitCode: 2 });
  return { root: root ?? null, project: project ?? null, task: task ?? null };
}
