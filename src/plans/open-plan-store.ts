import { basename, join } from 'node:path';
import type { PlanReading, PlanStore } from '../engine/ports/plan-store.ts';
import { inOrder, type Parse, type ParsedPlan, parsePlan } from './parse-plan.ts';
import { openPlanCache, type PlanCache } from './plan-cache.ts';
import type { PlanForm } from './plan-form.ts';
import { danglingPaths } from './reading/dangling.ts';
import { digestOf, digestOfAll, type SourceFile } from './reading/source-file.ts';
import { storiesForm } from './stories/stories-form.ts';
import { taskGraphForm } from './task-graph/task-graph-form.ts';
import { ticketsForm } from './tickets/tickets-form.ts';
import { writePlan } from './write-plan.ts';

export interface PlanWhereabouts {
  readonly kind: 'task-graph' | 'tickets' | 'stories';
  /** The top of the work tree, absolute. */
  readonly top: string;
  /** The file or folder, from there. */
  readonly path: string;
  /** Where what a large one said is kept, and where writers wait for each other; null: nowhere. */
  readonly cacheFolder: string | null;
}

const FORMS = { 'task-graph': taskGraphForm, tickets: ticketsForm, stories: storiesForm } as const satisfies Record<
  PlanWhereabouts['kind'],
  (top: string, path: string) => PlanForm
>;

/** A plan in the files of a work tree. Everything is looked at afresh; only what says the same as before is not read again. */
export function openPlanStore({ kind, top, path, cacheFolder }: PlanWhereabouts): PlanStore {
  const form = FORMS[kind](top, path);
  const name = `plan-${digestOf(`${kind} ${path}`).slice(0, 16)}`;
  const parse = remembering(form, cacheFolder === null ? null : openPlanCache(join(cacheFolder, `${name}.json`)));
  return {
    pathspecs: form.pathspecs,
    async read() {
      const files = form.files();
      return files === null ? null : readingOf(top, files, await parse(files));
    },
    write: (digest, edits) => writePlan({ form, top, parse, lock: cacheFolder === null ? null : join(cacheFolder, `${name}.lock`) }, digest, edits),
  };
}

/** Below this a plan is read as fast as what is kept of it. */
const WORTH_KEEPING = 16 * 1024;

/** The last plan is remembered, and a large one is kept for other processes too. */
function remembering(form: PlanForm, cache: PlanCache | null): Parse {
  let last: { readonly digest: string; readonly parsed: ParsedPlan } | null = null;
  return async (files) => {
    const digest = digestOfAll(files);
    if (last?.digest === digest) return last.parsed;
    const keeper = sizeOf(files) < WORTH_KEEPING ? null : cache;
    const kept = keeper?.get(digest) ?? null;
    const parsed = kept ?? (await parsePlan(form, files));
    if (kept === null) await keeper?.put(digest, parsed);
    last = { digest, parsed };
    return parsed;
  };
}

function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((size, { text }) => size + (text?.length ?? 0), 0);
}

function readingOf(top: string, files: readonly SourceFile[], { plan, problems, named }: ParsedPlan): PlanReading {
  return {
    plan: plan === null || plan.project !== '' ? plan : { ...plan, project: basename(top) },
    digest: digestOfAll(files),
    problems: inOrder([...problems, ...danglingPaths(top, named)], files),
  };
}
