/** The situation when an agent wants to stop. */
export interface StopSituation {
  /** The problems of the list of stories, one line each. */
  readonly problems: readonly string[];
  /** Uncommitted paths. */
  readonly dirtyPaths: readonly string[];
  /** False: the agent wants to stop of its own accord, and was not blocked just before. */
  readonly stopHookActive: boolean;
  readonly blocksSoFar: number;
  /** How often in a row it is kept from stopping. */
  readonly limit: number;
  /** `ralph`, relative to the project's root. */
  readonly folder: string;
}

export type StopDecision =
  | { readonly decision: 'approve' }
  /** `blocks`: how many times in a row. */
  | { readonly decision: 'block'; readonly reason: string; readonly blocks: number }
  /** It was told often enough; the loop judges what is left. */
  | { readonly decision: 'let-go'; readonly reason: string; readonly blocks: number };

/** Whether an agent may stop (seed 003, section 5b). */
export function stopDecision(sight: StopSituation): StopDecision {
  const reason = reasonOf(sight);
  if (reason === null) return { decision: 'approve' };
  const blocks = sight.stopHookActive ? sight.blocksSoFar : 0;
  return blocks >= sight.limit ? { decision: 'let-go', reason, blocks } : { decision: 'block', reason, blocks: blocks + 1 };
}

function reasonOf({ problems, dirtyPaths, folder }: StopSituation): string | null {
  const isDirty = dirtyPaths.length > 0;
  if (problems.length === 0 && !isDirty) return null;
  const repair = problems.length > 0 && !isDirty ? [`Repair ${folder}/tasks.json and commit it, then stop.`] : [];
  return [...firstOf(problems), ...repair, ...(isDirty ? commitFirst(dirtyPaths, folder) : [])].join('\n');
}

/** As much as a model can take in. The loop tells the rest after the agent has ended. */
const MOST_PROBLEMS = 20;
const MOST_PATHS = 10;

function firstOf(problems: readonly string[]): readonly string[] {
  const left = problems.length - MOST_PROBLEMS;
  return left > 0 ? [...problems.slice(0, MOST_PROBLEMS), `… and ${left} more problems.`] : problems;
}

/** Check 3, with the seed's three instructions. */
function commitFirst(dirtyPaths: readonly string[], folder: string): readonly string[] {
  const left = dirtyPaths.length - MOST_PATHS;
  const named = dirtyPaths.slice(0, MOST_PATHS).join(', ');
  return [
    `There are uncommitted changes: ${named}${left > 0 ? ` and ${left} more` : ''}. Before you stop:`,
    `1. Update ${folder}/progress.txt with what was accomplished and what you have learned.`,
    '2. Consider if any lasting patterns belong in CLAUDE.md or .claude/rules/.',
    '3. Commit ALL changes, including progress.txt and tasks.json.',
  ];
}
