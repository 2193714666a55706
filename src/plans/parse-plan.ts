import type { Plan, PlanProblem } from '../journal/words/plan.ts';
import type { PlanForm } from './plan-form.ts';
import { assemble } from './reading/assemble.ts';
import { type NamedPath, namedPaths } from './reading/dangling.ts';
import type { SourceFile } from './reading/source-file.ts';

/** What the files of a plan say by themselves, so what may be kept as long as they are the same. */
export interface ParsedPlan {
  readonly plan: Plan | null;
  readonly problems: readonly PlanProblem[];
  readonly named: readonly NamedPath[];
}

export type Parse = (files: readonly SourceFile[]) => Promise<ParsedPlan>;

export async function parsePlan(form: Pick<PlanForm, 'draft'>, files: readonly SourceFile[]): Promise<ParsedPlan> {
  const { draft, problems } = await form.draft(files);
  if (draft === null) return { plan: null, problems, named: [] };
  return { ...assemble(draft), named: namedPaths(draft) };
}

/** As the files come, and in each by its lines. */
export function inOrder(problems: readonly PlanProblem[], files: readonly SourceFile[]): readonly PlanProblem[] {
  if (problems.length < 2) return problems;
  const places = new Map(files.map(({ path }, place) => [path, place]));
  const placeOf = ({ file }: PlanProblem) => places.get(file) ?? files.length;
  return problems.toSorted((one, other) => placeOf(one) - placeOf(other) || (one.line ?? 0) - (other.line ?? 0));
}
