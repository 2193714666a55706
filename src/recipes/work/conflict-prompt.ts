import type { PlanTask } from '../../journal/words/plan.ts';
import { codeSpan } from '../../kit/pure/text.ts';
import { promptLine, promptList } from '../shared/prompt-text.ts';

export interface ConflictPromptRequest {
  readonly task: PlanTask;
  readonly project: string;
  /** The branch that was merged into that of the task. */
  readonly base: string;
  /** The files that git could not merge, relative to the top of the work tree. */
  readonly paths: readonly string[];
  /** The commands that must be green on the merged result. */
  readonly checks: readonly string[];
}

/** The prompt of a fresh agent that resolves a merge conflict. */
export function buildConflictPrompt({ task, project, base, paths, checks }: ConflictPromptRequest): string {
  const from = codeSpan(promptLine(base));
  return `You are resolving a merge conflict for ${promptLine(project) || 'this project'}.

Your task: ${promptLine(task.id)} - ${promptLine(task.title)}

The work on that task is done and committed on this branch. Meanwhile others have changed ${from}, which has just been merged into this branch. Git could not merge these files and has left conflict markers in them:
${promptList(paths).join('\n')}

What to do:
1. Find out what each side wanted: \`git log --merge --left-right -p\` shows the commits of both.
2. Resolve every conflict so that both hold. Neither this task's work nor what came from ${from} may be lost; do not just take one side.
3. Look for what the merge has broken elsewhere, such as a function that one side has renamed and the other now calls.
4. Leave no conflict marker behind, and \`git add\` what you have resolved.
5. Commit the merge: \`git commit --no-edit\`. Do not abort it, and do not rebase, reset, push or switch branches.
${proof([...new Set([...task.verify, ...checks])])}
Change nothing that the conflict does not call for. If it cannot be resolved, leave the merge as it is and say at the end what is in the way.
`;
}

function proof(commands: readonly string[]): string {
  return commands.length === 0 ? '' : ['\nThe loop then runs these itself, and all must be green:', ...promptList(commands), ''].join('\n');
}
