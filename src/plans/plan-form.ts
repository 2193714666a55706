import type { Plan, PlanProblem, TaskStatus } from '../journal/words/plan.ts';
import type { WantedPlan } from './editing/wanted-plan.ts';
import { assemble } from './reading/assemble-plan.ts';
import type { Draft } from './reading/draft.ts';
import { type NamedPath, namedPaths } from './reading/missing-files.ts';
import { readSourceFile, type SourceFile } from './reading/source-file.ts';

/** A file format of plans: everything that differs between formats. */
export interface PlanForm {
  readonly pathspecs: readonly string[];
  /** The current files, in the order of the plan; null when the plan does not exist. */
  readonly files: () => readonly SourceFile[] | null;
  readonly draft: (files: readonly SourceFile[]) => Promise<Drafted>;
  /** The new texts of the files for these edits. */
  readonly edit: (files: readonly SourceFile[], plan: Plan, wanted: WantedPlan) => Promise<readonly Rewrite[]>;
  /** The nearest status that the format has a word for. */
  readonly nearest: (status: TaskStatus) => TaskStatus;
}

export interface Drafted {
  /** Null when it cannot be read at all. */
  readonly draft: Draft | null;
  readonly problems: readonly PlanProblem[];
}

/** A file and its new text. If the old text is null, the file must not exist yet. */
export interface Rewrite {
  readonly path: string;
  readonly before: string | null;
  readonly text: string;
}

/** What the files of a plan say by themselves. It can be cached as long as the files stay the same. */
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

/** In the order of the files, and of the lines in each. */
export function inOrder(problems: readonly PlanProblem[], files: readonly SourceFile[]): readonly PlanProblem[] {
  if (problems.length < 2) return problems;
  const places = new Map(files.map(({ path }, place) => [path, place]));
  const placeOf = ({ file }: PlanProblem) => places.get(file) ?? files.length;
  return problems.toSorted((one, other) => placeOf(one) - placeOf(other) || (one.line ?? 0) - (other.line ?? 0));
}

/** A plan that is one file. */
export const oneFile = (top: string, path: string) => (): readonly SourceFile[] | null => {
  const file = readSourceFile(top, path);
  return file === null ? null : [file];
};

export async function draftOneFile(files: readonly SourceFile[], draft: (file: string, text: string) => Promise<Drafted>): Promise<Drafted> {
  const [file] = files;
  if (file?.text !== null && file !== undefined) return await draft(file.path, file.text);
  return { draft: null, problems: [{ file: file?.path ?? '', line: null, message: file?.why ?? '', task: null }] };
}

/** A git pathspec for exactly that file, whatever characters its name has. */
export const pathspecOf = (path: string) => `:(top,literal)${path}`;

export async function rewriteOneFile(files: readonly SourceFile[], edit: (text: string) => Promise<string>): Promise<readonly Rewrite[]> {
  const [file] = files;
  if (file === undefined || file.text === null) throw new Error('The plan was readable a moment ago.');
  return [{ path: file.path, before: file.text, text: await edit(file.text) }];
}
