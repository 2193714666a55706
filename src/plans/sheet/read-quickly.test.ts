import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../../test/support/patience.ts';
import { readByLibrary } from './read-by-library.ts';
import { readQuickly } from './read-quickly.ts';
import type { Sheet } from './sheet.ts';

const GRAPH = `# a plan
version: "1.0"
last_updated: 2026-02-05   # rewritten
milestones:
- id: M1
  title: 'It''s first'
nodes:
  - id: T-1
    title: Do it (well), soon
    description: |
      Several lines,

        some set in.

    priority: 1
    tags: [a, "b c", 1.10]
    assignee: null
    output:

  # between two
  - id: "T-2"
    description: >-
      folded
      text

      in two
    milestone: ~
    verify:
      - npm test
      - 'exit 0' # green
edges:
  - { from: T-1, to: T-2 }
  - {from: T-1, to: "T-2"}
meta: {}
by_priority:
  "1": 3
  2: 0
`;

const STORIES = JSON.stringify(
  { project: 'p', userStories: [{ id: 'US-1', title: 'a "b" \\ c\n', priority: 1.5, passes: false, dependsOn: [], x: [[], {}] }] },
  null,
  2,
);

async function byLibrary(text: string): Promise<{ readonly sheet: Sheet | null; readonly complaints: readonly string[] }> {
  const complaints: string[] = [];
  const sheet = await readByLibrary(text, (offset, message) => complaints.push(`${offset}: ${message}`));
  return { sheet, complaints };
}

/** Whatever the quick reader accepts, the library accepts too, with the same result. */
async function saysTheSame(text: string): Promise<boolean> {
  const quick = readQuickly(text);
  if (quick !== null) expect(await byLibrary(text), text).toEqual({ sheet: quick, complaints: [] });
  return quick !== null;
}

const pieces = [
  '\n',
  ' ',
  '  ',
  '- ',
  ': ',
  ':',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '|',
  '>',
  '|-',
  '>-',
  '&a',
  '*a',
  '<<',
  '!',
  '---\n',
  '...\n',
  '%',
  '?',
  '\\',
  '\r',
  '\t',
  '~',
  'a',
  '0x1',
  '.5',
  'é',
  '\\u0041',
  'null',
  '\u2028',
  '@',
  '`',
  '\n\n',
  '\n  ',
  '\n    - ',
  'a: b',
  '\r\n',
];

/** Cuts, copies and inserts at random places. */
const mutations = fc.array(fc.record({ at: fc.nat(), cut: fc.integer({ min: 0, max: 6 }), put: fc.constantFrom('', ...pieces) }), {
  minLength: 1,
  maxLength: 3,
});

function mutated(text: string, changes: readonly { at: number; cut: number; put: string }[]): string {
  return changes.reduce((before, { at, cut, put }) => {
    const place = at % (before.length + 1);
    return `${before.slice(0, place)}${put}${before.slice(place + cut)}`;
  }, text);
}

describe('the quick reader', () => {
  it.each([GRAPH, STORIES, GRAPH.replaceAll('\n', '\r\n'), STORIES.replaceAll('\n', '\r\n'), JSON.stringify(JSON.parse(STORIES)), '- a\n- b: c\n'])(
    'reads typical plans as the library does: %.20j',
    async (text) => {
      expect(await saysTheSame(text)).toBe(true);
    },
  );

  it('agrees with the library on every text that it accepts', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(GRAPH, STORIES, GRAPH.replaceAll('\n', '\r\n')), mutations, async (text, changes) => {
        if (await saysTheSame(mutated(text, changes))) taken += 1;
      }),
      manyRuns(2000),
    );
    expect(taken).toBeGreaterThan(200);
  });

  it('agrees with the library on short nonsense', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces, 'k: ', 'id', '1'), { maxLength: 12 }), async (words) => {
        await saysTheSame(words.join(''));
      }),
      manyRuns(4000),
    );
  });
});
