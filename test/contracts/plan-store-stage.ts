import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlanReading, PlanStore } from '../../src/engine/ports/stores.ts';
import type { PlanEdit } from '../../src/journal/words/plan.ts';
import { openPlanStore, type PlanLocation } from '../../src/plans/open-plan-store.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';

/** A work tree with a plan in it. */
export interface PlanStage extends ThrowAwayFolder {
  readonly cacheFolder: string;
  /** A new view of the plan. */
  open(): PlanStore;
  /** Its content; the file must exist. */
  read(): Promise<PlanReading>;
  /** `file:line: message` of all problems. */
  problems(): Promise<readonly string[]>;
  edit(...edits: readonly PlanEdit[]): Promise<'written' | 'changed'>;
  text(path?: string): string;
  write(content: string | Buffer, path?: string): void;
}

export async function openPlanStage({ kind, path }: Pick<PlanLocation, 'kind' | 'path'>, content?: string | Buffer): Promise<PlanStage> {
  const folder = await openThrowAwayFolder();
  const cacheFolder = join(folder.path, '.cache');
  const open = () => openPlanStore({ kind, path, top: folder.path, cacheFolder });
  const at = (name: string) => join(folder.path, name);
  const read = async () => {
    const reading = await open().read();
    if (reading === null) throw new Error('The plan is not there.');
    return reading;
  };
  const stage: PlanStage = {
    ...folder,
    cacheFolder,
    open,
    read,
    problems: async () => (await read()).problems.map(({ file, line, message }) => `${file}:${line ?? ''}: ${message}`),
    edit: async (...edits) => await open().write((await read()).digest, edits),
    text: (name = path) => readFileSync(at(name), 'utf8'),
    write(text, name = path) {
      if (!existsSync(dirname(at(name)))) mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
  };
  if (content !== undefined) stage.write(content);
  return stage;
}

export const completed = (id: string): PlanEdit => ({ kind: 'status', id, status: 'complete', at_ms: Date.parse('2026-02-05T08:17:36.832Z') });
