import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import { storiesText } from './stories-text.ts';

const plan = storyPlan(story('"A" 🦊'));

describe('the list as a file', () => {
  it.each<[string, string | null, string]>([
    ['two spaces', null, JSON.stringify(plan, null, 2)],
    ['four spaces', '{\n    "project": 1}', JSON.stringify(plan, null, 4)],
    ['tabs', '\n{\n\t"project": 1}', JSON.stringify(plan, null, '\t')],
    ['one line', '{"project":1}\n', JSON.stringify(plan)],
    ['two spaces instead of none', '{\n"project": 1}', JSON.stringify(plan, null, 2)],
    ['two spaces instead of nonsense', 'nonsense', JSON.stringify(plan, null, 2)],
    ['windows line breaks', '{\r\n  "project": 1}', JSON.stringify(plan, null, 2).replaceAll('\n', '\r\n')],
  ])('is laid out with %s', (_, like, text) => {
    expect(storiesText(plan, like)).toBe(text + (like?.includes('\r') ? '\r\n' : '\n'));
  });

  it('keeps its layout when it is written again', () => {
    for (const like of [null, '{\n\t"a":1}', '{}', '{\r\n "a":1}']) {
      const text = storiesText(plan, like);
      expect(storiesText(plan, text)).toBe(text);
    }
  });
});
