import type { PlanTask } from '../../journal/words/plan.ts';
import { addItems } from '../editing/add-item.ts';
import { applyChanges, type Change } from '../editing/changes.ts';
import { type Field, setField } from '../editing/set-field.ts';
import { fieldsOf } from '../editing/task-fields.ts';
import type { Wanted, WantedChange } from '../editing/wanted.ts';
import type { FieldValue } from '../editing/words.ts';
import { openPage } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { pairOf, type SheetMap, textOf } from '../sheet/sheet.ts';
import { withoutCriteria } from './criteria.ts';

/** The text with the wanted changes in it. Of a story's state only `passes` is written: the review is not ours to decide about. */
export async function editStories(text: string, { changed, added }: Wanted): Promise<string> {
  const map = await readSheet(openPage('', text), []);
  const list = map === null ? null : pairOf(map, 'userStories');
  if (map === null || list?.value.kind !== 'list') throw new Error('The plan was readable a moment ago.');
  const changes = list.value.items.flatMap((story) => {
    const id = story.kind === 'map' ? pairOf(story, 'id')?.value : undefined;
    const change = id === undefined ? undefined : changed.get(textOf(id) ?? '');
    return change === undefined || story.kind !== 'map' ? [] : changesOf(text, story, change);
  });
  return applyChanges(text, added.length === 0 ? changes : [...changes, addItems(text, map, list, added.map(storyOf))]);
}

function changesOf(text: string, story: SheetMap, { status, fields }: WantedChange): readonly Change[] {
  const { description, ...others } = fields;
  const news: Field[] = Object.entries(others).map(([key, value]) => ({ key, value: value as FieldValue }));
  if (description !== undefined) news.push(...describing(description));
  if (status !== null) news.push({ key: 'passes', value: status.status === 'complete' });
  return news.map((field) => setField(text, story, field));
}

/** A description is read with its criteria, so they are found in it again. */
function describing(text: string): readonly Field[] {
  const parts = withoutCriteria(text);
  if (parts === null) return [{ key: 'description', value: text }];
  return [
    { key: 'description', value: parts.description },
    { key: 'acceptanceCriteria', value: parts.criteria },
  ];
}

function storyOf(task: PlanTask): readonly Field[] {
  const common = fieldsOf(task).filter(({ key }) => key !== 'description' && key !== 'status');
  return [...common, ...describing(task.description), { key: 'passes', value: task.status === 'complete' }, { key: 'dependsOn', value: task.needs }];
}
