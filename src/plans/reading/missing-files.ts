import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanProblem } from '../../journal/words/plan.ts';
import type { Draft } from './draft.ts';
import { pathProblem } from './page.ts';

/** A path that should lead to a file. It is found when the plan is parsed, and checked each time the plan is read. */
export interface NamedPath {
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly task: string | null;
}

export function namedPaths({ tasks, stories, milestones }: Draft): readonly NamedPath[] {
  const named = [
    ...tasks.map(({ task, spot }) => ({ path: task.path, spot, task: task.id })),
    ...[...stories, ...milestones].map(({ path, spot }) => ({ path, spot, task: null })),
  ];
  return named.flatMap(({ path, spot, task }) => {
    const { file, lineOf } = spot.page;
    return path === null || path === file || pathProblem(path) !== null ? [] : [{ path, file, line: lineOf(spot.offset), task }];
  });
}

export function danglingPaths(top: string, named: readonly NamedPath[]): readonly PlanProblem[] {
  const missing = new Set([...new Set(named.map(({ path }) => path))].filter((path) => !existsSync(join(top, path))));
  return named.filter(({ path }) => missing.has(path)).map(({ path, file, line, task }) => ({ file, line, message: `${path} does not exist`, task }));
}
