import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PlanReading, PlanStore } from '../engine/ports/stores.ts';
import type { PlanEdit } from '../journal/words/plan.ts';
import { readRegular } from '../kit/files/read.ts';
import { writeAtomic } from '../kit/files/write.ts';
import { type OurLock, takeLock } from '../store/lock.ts';
import { refuseUnwantedChanges } from './editing/changes.ts';
import { applyEdits } from './editing/wanted-plan.ts';
import { formOf } from './forms.ts';
import { inOrder, type OpenPlan, type Parse, type ParsedPlan, parsePlan, type Rewrite } from './plan-form.ts';
import { danglingPaths, digestOf, digestOfAll, readSourceFile, type SourceFile } from './reading/source-file.ts';

export interface PlanLocation {
  /** The kind of its form. */
  readonly kind: string;
  /** The top of the work tree, absolute. */
  readonly top: string;
  /** The file or folder, from there. */
  readonly path: string;
  /** The folder for the cache of large plans and for the writers' lock; null: none. */
  readonly cacheFolder: string | null;
}

/** A plan in the files of a work tree. The files are read each time, but parsed only when they have changed. */
export function openPlanStore({ kind, top, path, cacheFolder }: PlanLocation): PlanStore {
  const form = formOf(kind).open(top, path);
  const name = `plan-${digestOf(`${kind} ${path}`).slice(0, 16)}`;
  const parse = parseWithCache(form, cacheFolder === null ? null : openPlanCache(join(cacheFolder, `${name}.json`)));
  return {
    pathspecs: form.pathspecs,
    async read() {
      const files = form.files();
      return files === null ? null : readingOf(top, files, await parse(files));
    },
    write: (digest, edits) => writePlan({ form, top, parse, lock: cacheFolder === null ? null : join(cacheFolder, `${name}.lock`) }, digest, edits),
  };
}

/** A smaller plan is parsed as fast as its cache is read. */
const WORTH_KEEPING = 16 * 1024;

/** Remembers the last plan, and caches a large one for other processes. */
function parseWithCache(form: OpenPlan, cache: PlanCache | null): Parse {
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

/** The version of the cache. Raise it with every change of what is read from a plan. */
const FORMAT = 2;

/** The parsed plan for a digest of its files. It only saves time: if anything is wrong with it, the files are parsed again. */
export interface PlanCache {
  get(digest: string): ParsedPlan | null;
  put(digest: string, parsed: ParsedPlan): Promise<void>;
}

function openPlanCache(path: string): PlanCache {
  return {
    get(digest) {
      const text = readRegular(path);
      const feed = text?.indexOf('\n') ?? -1;
      const body = text?.slice(feed + 1) ?? '';
      return text !== null && feed > 0 && text.slice(0, feed) === headerOf(digest, body) ? parsedOf(body) : null;
    },
    async put(digest, parsed) {
      const body = JSON.stringify(parsed);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeAtomic(path, `${headerOf(digest, body)}\n${body}`);
      } catch {
        // A full disk or a read-only folder only costs time at the next reading.
      }
    },
  };
}

/** Any damage changes the header. */
function headerOf(digest: string, body: string): string {
  return JSON.stringify({ format: FORMAT, digest, body: digestOf(body) });
}

function parsedOf(body: string): ParsedPlan | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface StoreParts {
  readonly form: OpenPlan;
  readonly top: string;
  readonly parse: Parse;
  readonly lock: string | null;
}

/** Far longer than anybody needs to write a plan. */
const LONGEST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Ralph's own writers take turns. People do not take part in that, but their edits are never overwritten. */
async function writePlan(parts: StoreParts, digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'> {
  const lock = parts.lock === null ? null : await waitForLock(parts.lock);
  if (parts.lock !== null && lock === null) return 'changed';
  try {
    return await writeLocked(parts, digest, edits);
  } finally {
    await lock?.release();
  }
}

async function writeLocked({ form, top, parse }: StoreParts, digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'> {
  const files = form.files();
  if (files === null || digestOfAll(files) !== digest) return 'changed';
  const before = await parse(files);
  if (before.plan === null) throw new Error(`A plan that cannot be read cannot be written: ${before.problems[0]?.message}`);
  const wanted = applyEdits(before.plan, edits);
  const rewrites = await form.edit(files, before.plan, wanted);
  const after = await parse(rewritten(files, rewrites));
  refuseUnwantedChanges(wanted, after, form.nearest);
  for (const rewrite of rewrites) {
    if ((readSourceFile(top, rewrite.path)?.text ?? null) !== rewrite.before) return 'changed';
    await writeAtomic(join(top, rewrite.path), rewrite.text, modeOf(join(top, rewrite.path)));
  }
  return 'written';
}

function rewritten(files: readonly SourceFile[], rewrites: readonly Rewrite[]): readonly SourceFile[] {
  const news = new Map(rewrites.map(({ path, text }) => [path, { path, text, why: '', digest: digestOf(text) }]));
  const kept = files.map((file) => news.get(file.path) ?? file);
  const added = rewrites.filter(({ before }) => before === null).flatMap(({ path }) => news.get(path) ?? []);
  return [...kept, ...added].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

async function waitForLock(path: string): Promise<OurLock | null> {
  for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const lock = await takeLock(path, 'plan');
    if (lock.kind === 'taken') return lock;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}
