import type { Plan, PlanProblem, TaskStatus } from '../journal/words/plan.ts';
import type { WantedPlan } from './editing/wanted-plan.ts';
import { assemble } from './reading/assemble-plan.ts';
import type { Draft } from './reading/draft.ts';
import { type NamedPath, namedPaths, readSourceFile, type SourceFile } from './reading/source-file.ts';

/** A file format of plans. A form is one folder with one definition; `forms.ts` lists them all. */
export interface PlanForm {
  /** Its name in settings and journals. It never changes. */
  readonly kind: string;
  /** What a person would call it, for messages: `a task-graph.yaml`. */
  readonly called: string;
  /** Where it is looked for when no plan is named, from the top of the work tree. `*` is any name. */
  readonly usualPaths: readonly string[];
  /** A plan that is found in this way counts only where no form of a lower rank has one. */
  readonly rank: 1 | 2 | 3;
  /** The names that its file may have in a folder that is named as the plan. */
  readonly namesInFolder: readonly string[];
  /** Whether this file or folder is a plan of this form. More is accepted as a plan if a person has named it: the form then says what is wrong with it. */
  readonly recognises: (found: Candidate, isNamed: boolean) => boolean;
  /** Whether its tasks are stories, which are worked on in place and reviewed one by one. */
  readonly isReviewed: boolean;
  readonly open: (top: string, path: string) => OpenPlan;
}

/** A file or folder that may be a plan. */
export interface Candidate {
  readonly top: string;
  /** From the top of the work tree. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Null when it cannot be read as text. */
  readonly text: () => string | null;
}

/** A plan of some form, at its place. */
export interface OpenPlan {
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

export async function parsePlan(form: Pick<OpenPlan, 'draft'>, files: readonly SourceFile[]): Promise<ParsedPlan> {
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

export interface OneFilePlan extends Pick<OpenPlan, 'nearest'> {
  readonly draft: (file: string, text: string) => Promise<Drafted>;
  readonly edit: (text: string, plan: Plan, wanted: WantedPlan) => Promise<string>;
}

/** Opens a plan that is one file. */
export function oneFilePlan({ draft, edit, nearest }: OneFilePlan): PlanForm['open'] {
  return (top, path) => ({
    pathspecs: [`:(top,literal)${path}`],
    files() {
      const file = readSourceFile(top, path);
      return file === null ? null : [file];
    },
    async draft([file]) {
      if (file?.text !== null && file !== undefined) return await draft(file.path, file.text);
      return { draft: null, problems: [{ file: file?.path ?? '', line: null, message: file?.why ?? '', task: null }] };
    },
    async edit([file], plan, wanted) {
      if (file === undefined || file.text === null) throw new Error('The plan was readable a moment ago.');
      return [{ path: file.path, before: file.text, text: await edit(file.text, plan, wanted) }];
    },
    nearest,
  });
}

/** For forms that only know whether a task is done. */
export const doneOrNot = (status: TaskStatus): TaskStatus => (status === 'complete' ? 'complete' : 'pending');
