import type { PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import type { ParsedPlan } from '../plan-form.ts';
import { plainValue } from '../sheet/quick-scan.ts';
import type { WantedPlan } from './wanted-plan.ts';

/** A range of a text and its replacement. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies all changes at once, so that every offset refers to the original text. Several insertions at one place keep the given order. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: news } of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < at) throw new Error('Two changes of a plan overlap.');
    parts.push(text.slice(at, start), news);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

/** The line ending of a text. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The end of the line at an offset, before its line feed. */
export function lineEndAt(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** How far an offset is from the beginning of its line. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

export type FieldValue = string | number | boolean | null | readonly string[];

/** Words that any YAML reader, also an old one, takes for text. */
const PLAIN = /^[\p{L}_(][\p{L}\p{N} _./()+=;…–-]*$/u;
const MEANT_BY_OLD_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Characters that JSON does not escape and YAML does not print. */
const UNPRINTED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** On one line, also inside brackets. */
export function inYaml(value: FieldValue): string {
  if (typeof value === 'string') return isPlain(value) ? value : quoted(value);
  return typeof value === 'object' && value !== null ? `[${value.map(inYaml).join(', ')}]` : String(value);
}

export function inJson(value: FieldValue): string {
  return typeof value === 'object' && value !== null ? `[${value.map((text) => JSON.stringify(text)).join(', ')}]` : JSON.stringify(value);
}

export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNPRINTED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text as a YAML block; null when it has to be quoted. */
export function inLines(text: string, indent: number): readonly string[] | null {
  const lines = text.split('\n');
  const isOdd = lines.length < 2 || text.trim() !== text || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff]/u.test(lines.join(''));
  return isOdd ? null : ['|-', ...lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))];
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(' ') && !MEANT_BY_OLD_YAML.test(text) && plainValue(text) === text;
}

/** Before anything is written, the new text is parsed again. If any task differs from what was wanted, it throws and nothing is written. */
export function refuseUnwantedChanges({ tasks }: WantedPlan, { plan, problems }: ParsedPlan, nearest: (status: TaskStatus) => TaskStatus): void {
  if (plan === null) throw new Error(`The edited plan could not be read: ${problems[0]?.message}`);
  const expected = new Map(tasks.map((task) => [task.id, contentOf(task, nearest)]));
  for (const task of plan.tasks) {
    const said = contentOf(task, nearest);
    if (expected.get(task.id) !== said) throw new Error(`The edited plan would have an unwanted change of ${task.id}: ${said}`);
    expected.delete(task.id);
  }
  const [lost] = expected.keys();
  if (lost !== undefined) throw new Error(`The edited plan would lose the task ${lost}.`);
}

function contentOf(
  { title, description, complexity, tags, status, priority, needs, outputs, verify, may_change, runs_on }: PlanTask,
  nearest: (status: TaskStatus) => TaskStatus,
): string {
  return JSON.stringify([nearest(status), priority, [...needs].sort(), outputs, verify, may_change, runs_on, title, description, complexity, tags]);
}
