import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanPorts } from '../../src/engine/ports/ports.ts';
import type { Merge } from '../../src/journal/effects/work-effect.ts';
import type { MergeJudged } from '../../src/journal/events/work.ts';
import type { PlanTask } from '../../src/journal/words/plan.ts';
import { merge } from '../../src/recipes/work/effects/merge.ts';
import type { GateSpec } from '../../src/settings/schema/run-settings.ts';
import type { WorkStage } from './plan-stage.ts';
import { never } from './process-request.ts';

export const gate = (command: string, timeoutMs = 60_000): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs });

/** A file's text, a link, or null: it is removed. */
type Content = string | { readonly link: string } | null;

/** A branch as an agent has left it, with all committed. The commit it is on. */
export async function branchWith({ repo, crew }: WorkStage, name: string, files: Readonly<Record<string, Content>>): Promise<string> {
  const opened = await crew.branches.open({ branch: `ralph/${name}.1`, from: null, pathspecs: [] }, never);
  if (opened.kind !== 'opened') throw new Error(opened.why);
  for (const [file, content] of Object.entries(files)) await put(join(opened.path, file), content);
  repo.git('-C', opened.path, 'add', '-A');
  repo.git('-C', opened.path, 'commit', '-q', '--allow-empty', '-m', name);
  return repo.git('-C', opened.path, 'rev-parse', 'HEAD');
}

async function put(path: string, content: Content): Promise<void> {
  if (content === null) return await rm(path);
  if (typeof content === 'string') return await writeFile(path, content);
  await symlink(content.link, path);
}

let iteration = 0;

/** Each is an iteration of its own. */
export function merging(task: PlanTask, head: string, over: Partial<Merge> = {}): Merge {
  iteration += 1;
  const numbers = { key: `merge:${iteration}.1`, iteration, attempt: 1, n: 1 };
  return { kind: 'merge', ...numbers, task, head, green_tree: null, gates: [], edits: [], until: null, ...over };
}

export async function merged(effect: Merge, ports: PlanPorts, signal = never): Promise<MergeJudged> {
  const fact = await merge.perform(effect, ports, async () => undefined, signal);
  if (fact.type !== 'merge.judged') throw new Error(fact.type);
  return fact;
}
