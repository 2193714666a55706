import { OperatorError } from '../../kit/pure/operator-error.ts';

export type WorktreeRefusal =
  | 'worktree-exists'
  | 'worktree-failed'
  | 'no-commit'
  | 'no-such-commit'
  | 'bad-branch'
  | 'no-such-worktree'
  | 'worktree-main'
  | 'worktree-dirty'
  | 'worktree-locked';

export function refusedWorktree(code: WorktreeRefusal, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 4 });
}
