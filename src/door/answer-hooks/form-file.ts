import { lstatSync } from 'node:fs';
import type { PlanForm } from '../../plans/review/plan-form.ts';
import { readRegular } from '../../kit/files/read-regular.ts';

/** `tasks.json` as it lies there: never through a link, never waiting at a pipe. */
export function readFormFile(path: string): PlanForm {
  const text = readRegular(path);
  if (text !== null) return { kind: 'text', text };
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? { kind: 'missing' } : { kind: 'refused', why: 'is no regular file that can be read' };
}
