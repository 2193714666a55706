import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { WorkPorts } from '../../engine/ports/ports.ts';
import { openScope } from '../../kit/async/scope.ts';
import { readFirstLine } from '../../kit/files/file-lines.ts';
import { readRegular } from '../../kit/files/read.ts';
import { withOperatorErrors } from '../../kit/files/with-operator-errors.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { withGit } from '../../workspace/check-base.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { gitAt, isInside } from '../../workspace/worktrees/open.ts';

export type FoundPlan = WorkSpec['plan'];

const GRAPHS = ['task-graph.yaml', 'task-graph.yml'] as const;
const STORIES = ['ralph/tasks.json', 'tasks.json'] as const;
const TICKETS = ['docs/active/tickets', 'tickets'] as const;

/**
 * The plan of a work tree: the named one, else the only one there is. Candidates are `task-graph.yaml`, `ralph/tasks.json` and `tasks.json` with user stories,
 * and the folders `docs/active/tickets` and `tickets` with a ticket. In seed 000 a graph is made from tickets, so tickets beside a graph are not a second plan;
 * name their folder to work on them.
 */
export async function findPlan(top: string, wanted: string | null): Promise<FoundPlan> {
  if (wanted !== null) return await namedPlan(top, wanted);
  const graphs = GRAPHS.filter((path) => existsSync(join(top, path))).map((path): FoundPlan => ({ kind: 'task-graph', path }));
  const stories = STORIES.filter((path) => hasStories(join(top, path))).map((path): FoundPlan => ({ kind: 'stories', path }));
  const tickets = graphs.length > 0 ? [] : TICKETS.filter((path) => hasTickets(join(top, path))).map((path): FoundPlan => ({ kind: 'tickets', path }));
  const [plan, ...others] = [...graphs, ...stories, ...tickets];
  if (plan === undefined) throw noPlan(top);
  if (others.length > 0) throw severalPlans([plan, ...others]);
  return plan;
}

/** A file is recognised by its name, else by how it begins. A folder contains tickets, or one of the files that would be found at the top. */
async function namedPlan(top: string, wanted: string): Promise<FoundPlan> {
  const path = await pathFrom(top, wanted);
  const found = lstatSync(join(top, path), { throwIfNoEntry: false });
  if (found === undefined)
    throw refused('plan-missing', `there is no plan at ${path}`, 'Check --plan: a plan is a task-graph.yaml, a tasks.json, or a folder of tickets.');
  if (found.isDirectory()) return planInFolder(top, path);
  const kind = kindOf(join(top, path));
  if (kind === null)
    throw refused(
      'plan-unknown',
      `${path} is not a plan`,
      'A plan is a task-graph.yaml, a tasks.json, or a folder of tickets (name the folder, not a ticket).',
    );
  return { kind, path };
}

async function pathFrom(top: string, wanted: string): Promise<string> {
  const named = resolve(top, wanted);
  const folder = await realpath(dirname(named)).catch(() => dirname(named));
  const [from, to] = [await realpath(top).catch(() => top), join(folder, basename(named))];
  if (isInside(from, to)) return relative(from, to).split(sep).join('/');
  throw refused('plan-outside', `the plan ${wanted} is not inside ${top}`, 'A plan must be in its work tree: name a file or folder there.');
}

function planInFolder(top: string, path: string): FoundPlan {
  if (hasTickets(join(top, path))) return { kind: 'tickets', path };
  const file = [...GRAPHS, 'tasks.json'].map((name) => `${path}/${name}`).find((candidate) => existsSync(join(top, candidate)));
  const kind = file === undefined ? null : kindOf(join(top, file));
  return file === undefined || kind === null ? { kind: 'tickets', path } : { kind, path: file };
}

function kindOf(path: string): 'task-graph' | 'stories' | null {
  if (/\.ya?ml$/i.test(path)) return 'task-graph';
  if (/\.json$/i.test(path)) return 'stories';
  const text = readRegular(path)?.trimStart() ?? '';
  if (text.startsWith('{')) return 'stories';
  return /^nodes:/m.test(text) ? 'task-graph' : null;
}

/** Many projects have a `tasks.json` of another kind. */
function hasStories(path: string): boolean {
  // This path is a plan even while the file is broken.
  if (path.endsWith('/ralph/tasks.json')) return existsSync(path);
  return existsSync(path) && (readRegular(path) === null || (readRegular(path) ?? '').includes('"userStories"'));
}

function hasTickets(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.md') && /^\ufeff?---\s*$/.test(readFirstLine(join(folder, name)) ?? ''));
  } catch {
    return false;
  }
}

function noPlan(top: string): OperatorError {
  return refused(
    'plan-missing',
    `there is no plan in ${top}`,
    'Write a task-graph.yaml (a list "nodes" with id and title, a list "edges" with from and to), put tickets with front matter into tickets/, begin a list of stories with ralph plan init, or name a plan with --plan.',
  );
}

function severalPlans(plans: readonly FoundPlan[]): OperatorError {
  return refused('plan-ambiguous', `there are several plans: ${plans.map(({ path }) => path).join(', ')}`, 'Choose one with --plan.');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}

/** Finds out where a result is, seen from the home checkout. The branch is the checked-out one, unless it is given. */
export function resultLocator(home: string, env: Readonly<Record<string, string>>, base?: string): WorkPorts['locationOf'] {
  const git = gitAt(home, env);
  const isIn = async (commit: string, ref: string) => (await git(['merge-base', '--is-ancestor', commit, ref])).code === 0;
  return async (commit) => {
    if (await isIn(commit, 'HEAD')) return 'checkout';
    const branch = base ?? (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
    return (await isIn(commit, `refs/ralph/base/${branch}`)) ? 'base' : 'elsewhere';
  };
}

/** The plan that is meant in this directory, and its kind: stories are worked on differently from tasks. */
export function findPlanFrom(directory: string, wanted: string | null): Promise<FoundPlan> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const cwd = await realpath(directory);
    const { topLevel } = withGit(await openWorkspace(cwd, scope));
    return await findPlan(topLevel, wanted === null ? null : resolve(cwd, wanted));
  });
}
