import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type HeldByUs, takeLock } from '../store/lock.ts';
import { writeAtomic } from '../kit/files/write-atomic.ts';
import type { PlanEdit } from '../journal/words/plan.ts';
import { refuseSurprises } from './editing/refuse-surprises.ts';
import { wantedOf } from './editing/wanted.ts';
import type { Parse } from './parse-plan.ts';
import type { PlanForm, Rewrite } from './plan-form.ts';
import { digestOf, digestOfAll, readSourceFile, type SourceFile } from './reading/source-file.ts';

interface Desk {
  readonly form: PlanForm;
  readonly top: string;
  readonly parse: Parse;
  readonly lock: string | null;
}

/** Far longer than anybody needs to write a plan. */
const LONGEST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Of all of ours who write at once one comes after the other; people are not asked, but what they wrote meanwhile is never written over. */
export async function writePlan(desk: Desk, digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'> {
  const lock = desk.lock === null ? null : await waitForLock(desk.lock);
  if (desk.lock !== null && lock === null) return 'changed';
  try {
    return await writeLocked(desk, digest, edits);
  } finally {
    await lock?.release();
  }
}

async function writeLocked({ form, top, parse }: Desk, digest: string, edits: readonly PlanEdit[]): Promise<'written' | 'changed'> {
  const files = form.files();
  if (files === null || digestOfAll(files) !== digest) return 'changed';
  const before = await parse(files);
  if (before.plan === null) throw new Error(`A plan that cannot be read cannot be written: ${before.problems[0]?.message}`);
  const wanted = wantedOf(before.plan, edits);
  const rewrites = await form.edit(files, before.plan, wanted);
  const after = await parse(rewritten(files, rewrites));
  refuseSurprises(wanted, after, form.nearest);
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

async function waitForLock(path: string): Promise<HeldByUs | null> {
  for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const lock = await takeLock(path, 'plan');
    if (lock.kind === 'taken') return lock;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}
