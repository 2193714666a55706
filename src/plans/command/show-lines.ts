import { printable } from '../../kit/pure/printable.ts';
import type { ShownTask } from '../tasks/show-task.ts';
import { holderText, sinceText } from './task-table.ts';

/** All of one task on a page. */
export function showLines(shown: ShownTask, nowMs: number): readonly string[] {
  const { task, hold, needs, neededBy } = shown;
  const { priority, complexity, story, milestones, tags, outputs, verify, path, description } = task;
  const facts: readonly (readonly [string, string])[] = [
    ['State', stateText(shown, nowMs)],
    ['Priority', `${priority}`],
    ['Complexity', complexity ?? ''],
    ['Story', story ?? ''],
    ['Milestones', milestones.join(', ')],
    ['Tags', tags.join(', ')],
    ['Needs', needs.map(({ id, state }) => `${id} (${state ?? 'unknown'})`).join(', ')],
    ['Needed by', neededBy.join(', ')],
    ['Outputs', outputs.join(', ')],
    ['Verify', verify.join(' && ')],
    ['File', path ?? ''],
    ['Branch', hold?.register?.branch ?? ''],
    ['Tries', hold?.register?.tries ? `${hold.register.tries}` : ''],
  ];
  return [
    printable(`${task.id}: ${task.title}`),
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => `${`${name}:`.padEnd(12)}${printable(value)}`),
    ...section('Feedback', hold?.register?.feedback ?? ''),
    ...section('Description', description),
  ];
}

function stateText(shown: ShownTask, nowMs: number): string {
  const [holder, since] = [holderText(shown), sinceText(shown, nowMs)];
  return [shown.state, holder && `by ${holder}`, since && `since ${since}`, shown.hold && `(number ${shown.hold.n})`].filter(Boolean).join(' ');
}

function section(title: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  const lines = text.trimEnd().split(/\r?\n/);
  return ['', `${title}:`, ...lines.map((line) => `  ${printable(line)}`.trimEnd())];
}
