import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { WorkPorts } from '../../engine/ports/ports.ts';
import type { PlanStore } from '../../engine/ports/stores.ts';
import { isInside, namesIn, readRegular } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { allForms, FORM_OF_FOLDERS, FORMS } from '../forms.ts';
import type { Candidate, PlanForm } from '../plan-form.ts';

export type FoundPlan = WorkSpec['plan'];

/** The plan of a work tree: the named one, else the only one there is at one of the usual paths. A hint names paths as they are from where the person is. */
export async function findPlan(top: string, wanted: string | null, cwd = top): Promise<FoundPlan> {
  if (wanted !== null) return await namedPlan(top, wanted);
  const found = FORMS.flatMap((form) => usualPlans(top, form).map((path) => ({ form, path })));
  const rank = Math.min(...found.map(({ form }) => form.rank));
  const [plan, ...others] = found.filter(({ form }) => form.rank === rank);
  if (plan === undefined) throw noPlan(top, cwd);
  if (others.length > 0) throw severalPlans([plan, ...others]);
  return { kind: plan.form.kind, path: plan.path };
}

function usualPlans(top: string, form: PlanForm): readonly string[] {
  return form.usualPaths.flatMap((path) => existingPaths(top, path)).filter((path) => form.recognises(candidateAt(top, path), false));
}

/** The paths that exist, for one with `*` for any name. */
function existingPaths(top: string, pattern: string): readonly string[] {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return existsSync(join(top, pattern)) ? [pattern] : [];
  const names = namesIn(join(top, before));
  const ending = after.startsWith('/') ? '' : after;
  return names
    .filter((name) => name.endsWith(ending) && existsSync(join(top, `${before}${name}${after.slice(ending.length)}`)))
    .map((name) => `${before}${name}${after.slice(ending.length)}`)
    .toSorted();
}

function candidateAt(top: string, path: string): Candidate {
  const isFolder = lstatSync(join(top, path), { throwIfNoEntry: false })?.isDirectory() === true;
  return { top, path, isFolder, text: () => readRegular(join(top, path)) };
}

/** The form of a file, or of a folder itself, or of the file in that folder. */
async function namedPlan(top: string, wanted: string): Promise<FoundPlan> {
  const path = await pathFrom(top, wanted);
  if (lstatSync(join(top, path), { throwIfNoEntry: false }) === undefined)
    throw refused('plan-missing', `there is no plan at ${path}`, `Check --plan: a plan is ${allForms()}.`);
  const found = candidateAt(top, path);
  const form = FORMS.find((each) => each.recognises(found, true));
  if (form !== undefined) return { kind: form.kind, path };
  if (found.isFolder) return planInFolder(top, path);
  throw refused('plan-unknown', `${path} is not a plan`, `A plan is ${allForms()}; of tickets, name the folder.`);
}

async function pathFrom(top: string, wanted: string): Promise<string> {
  const named = resolve(top, wanted);
  const folder = await realpath(dirname(named)).catch(() => dirname(named));
  const [from, to] = [await realpath(top).catch(() => top), join(folder, basename(named))];
  if (isInside(from, to)) return relative(from, to).split(sep).join('/');
  throw refused('plan-outside', `the plan ${wanted} is not inside ${top}`, 'A plan must be in its work tree: name a file or folder there.');
}

function planInFolder(top: string, folder: string): FoundPlan {
  for (const form of FORMS) {
    const paths = form.namesInFolder.flatMap((name) => existingPaths(top, `${folder}/${name}`));
    const [path, ...others] = paths.filter((each) => FORMS.find(({ recognises }) => recognises(candidateAt(top, each), true)) === form);
    if (others.length > 0) throw severalPlans([path, ...others].flatMap((each) => (each === undefined ? [] : [{ path: each }])));
    if (path !== undefined) return { kind: form.kind, path };
  }
  return { kind: FORM_OF_FOLDERS.kind, path: folder };
}

function noPlan(top: string, cwd: string): OperatorError {
  // A shell follows links before it goes up.
  const [from, here] = [realpathSync(top), realpathSync(cwd)];
  const possible = possiblePlans(from, here).map((path) => shellQuote(pathFromHere(path, here)));
  const [first] = possible;
  return refused(
    'plan-missing',
    `there is no plan in ${top}${from === here ? '' : ', the top of this repository'}`,
    first === undefined
      ? `Name one with --plan: ${allForms()}. Or write a task-graph.yaml (a list "nodes" with id and title), or begin a list of stories with ralph plan init.`
      : `If you mean ${possible.join(' or ')}, say so: ralph work --plan ${first}`,
  );
}

/** What could be a plan though nobody has named it, in the folder where the person is and at the top: files at the usual paths, else Markdown with open checkboxes. */
export function possiblePlans(top: string, cwd: string): readonly string[] {
  return [...new Set([cwd, top].flatMap((folder) => plansIn(folder).map((path) => join(folder, path))))];
}

function plansIn(folder: string): readonly string[] {
  const usual = FORMS.flatMap((form) => usualPlans(folder, form));
  const pages = namesIn(folder).filter((name) => !/^(?:readme|changelog|contributing)\b/i.test(name) && isPage(candidateAt(folder, name)));
  const named = pages.filter((name) => /todo|plan|task|backlog|roadmap/i.test(name));
  return [...new Set([...usual, ...(named.length > 0 ? named : pages)])];
}

const isPage = (found: Candidate) => /\.md$/i.test(found.path) && FORMS.some(({ recognises }) => recognises(found, false));

/** As a person would name it in that folder. */
export const pathFromHere = (path: string, cwd: string) => relative(cwd, path).split(sep).join('/');

function severalPlans(plans: readonly { readonly path: string }[]): OperatorError {
  return refused('plan-ambiguous', `there are several plans: ${plans.map(({ path }) => path).join(', ')}`, 'Choose one with --plan.');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}

/**
 * Finds out where a result is, seen from the home checkout. The branch is the checked-out one, unless it is given. A plan that is changed and not committed may
 * come from an old editor buffer, so only a committed plan tells that the checkout has a result which a person wants done again.
 */
export function resultLocator(
  home: string,
  env: Readonly<Record<string, string>>,
  { pathspecs }: Pick<PlanStore, 'pathspecs'>,
  base?: string,
): WorkPorts['locationOf'] {
  const git = gitAt(home, env);
  const isCommitted = async () => (await git(['diff', '--quiet', 'HEAD', '--', ...pathspecs])).code === 0;
  const isIn = async (commit: string, ref: string) => (await git(['merge-base', '--is-ancestor', commit, ref])).code === 0;
  return async (commit) => {
    if (await isIn(commit, 'HEAD')) return (await isCommitted()) ? 'checkout' : 'base';
    const branch = base ?? (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
    return (await isIn(commit, `refs/ralph/base/${branch}`)) ? 'base' : 'elsewhere';
  };
}
