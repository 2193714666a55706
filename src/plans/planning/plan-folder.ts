import { lstatSync, statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** What `ralph plan init` makes in a project, and where finished plans are moved to (seed 003). */
export const FOLDER = 'ralph';
export const ARCHIVE = 'ralph-archive';
/** Exists while a loop is running; it is never committed. */
export const MARKER = '.ralph-active';

/** The folder named by `--project-dir`. */
export function projectFolder(cwd: string, said: string | null): string {
  const path = resolve(cwd, said ?? '.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new OperatorError('no-project', `there is no directory ${path}`, { hint: 'Check --project-dir.', exitCode: 2 });
}

/** Through a link Ralph would write somewhere else, and a pipe cannot hold a plan. */
export function refuseAllButFiles(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new OperatorError('plan-not-written', `cannot write ${path}: it exists and is not a regular file`, {
    hint: 'Move it away and try again.',
    exitCode: 2,
  });
}

export function refuseAllButFolders(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return;
  throw new OperatorError('plan-not-written', `cannot write to ${path}: it exists and is not a directory`, {
    hint: 'Move it away and try again.',
    exitCode: 2,
  });
}

const LONGEST = 80;
const OTHERS = /[^A-Za-z0-9._-]/g;

/** A name for a folder (seed 003). */
export function labelOf(text: string): string {
  return text.trim().replace(OTHERS, '-').slice(0, LONGEST) || 'plan';
}

/** The branch of a plan of that name. Git refuses consecutive dots, dots at the ends, and `.lock`. */
export function branchOf(name: string): string {
  const plain = name
    .trim()
    .replace(OTHERS, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, LONGEST)
    .replaceAll(/^[.-]+|(?:[.-]+|\.lock)+$/g, '');
  return `ralph/${plain || 'feature'}`;
}

/** The date for file names. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** Temporary files that a killed `writeAtomic` leaves of our files. */
const LEFTOVER = /^(?:\.pending\.json|prd\.md|tasks\.json|progress\.txt|prompt\.md)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Removes the temporary files of an interrupted call. Nobody else writes there, because no loop is running. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((found) => LEFTOVER.test(found))) await rm(join(folder, name), { force: true });
}

export type PlanFileName = 'prd.md' | 'tasks.json' | 'progress.txt' | 'prompt.md';

async function readTemplate(name: PlanFileName): Promise<string> {
  return await readFile(packagePath('templates', name), 'utf8');
}

export interface FreshPlan {
  readonly project: string;
  /** Null: whoever writes the stories has to choose one. */
  readonly branch: string | null;
  readonly nowMs: number;
}

/** The files of a new plan. */
export async function freshFiles(fresh: FreshPlan): Promise<Readonly<Record<PlanFileName, string>>> {
  const [prd, tasks, progress, prompt] = await Promise.all([
    readTemplate('prd.md'),
    readTemplate('tasks.json'),
    readTemplate('progress.txt'),
    readTemplate('prompt.md'),
  ]);
  return { 'prd.md': filled(prd, fresh), 'tasks.json': tasksOf(tasks, fresh), 'progress.txt': filled(progress, fresh), 'prompt.md': prompt };
}

function filled(template: string, { project, nowMs }: FreshPlan): string {
  const values: Readonly<Record<string, string>> = { '{{DATE}}': dayOf(nowMs), '{{PROJECT_NAME}}': project };
  return template.replaceAll(/\{\{(?:DATE|PROJECT_NAME)\}\}/g, (name) => values[name] ?? name);
}

function tasksOf(template: string, { project, branch }: FreshPlan): string {
  const tasks = { ...JSON.parse(template), project, ...(branch !== null && { branchName: branch }) };
  return `${JSON.stringify(tasks, null, 2)}\n`;
}
