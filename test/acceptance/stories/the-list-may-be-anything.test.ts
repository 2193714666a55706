import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepIt, deepRows } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, planOf, type StoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, works } from '../../support/story-part.ts';

const LIST = 'ralph/tasks.json';
const one = [story('US-001')];
const two = [story('US-001'), story('US-002', { priority: 2 })];

type Form = readonly [name: string, leave: Part, told: RegExp];

/** What an agent may leave at the path of the list. None of it counts, so the same story runs again. */
const ALL_FORMS: readonly Form[] = [
  [
    'half of it',
    (me) => {
      me.write('ralph/tasks.json', (me.read('ralph/tasks.json') ?? '').slice(0, 300));
      me.commit();
    },
    /not valid JSON/,
  ],
  [
    'no JSON',
    (me) => {
      me.write('ralph/tasks.json', 'All done!\n');
      me.commit();
    },
    /not valid JSON/,
  ],
  ['an empty file', (me) => me.write('ralph/tasks.json', ''), /tasks\.json/],
  ['a JSON of something else', (me) => me.write('ralph/tasks.json', '[1, 2]'), /tasks\.json|JSON object/],
  [
    '5 MB',
    (me) => {
      Object.assign(me.story, { notes: 'x'.repeat(5e6), reviewStatus: 'needs_review' });
      me.end();
    },
    /has more than 4 MiB/,
  ],
  ['deeply nested JSON', (me) => me.write('ralph/tasks.json', `${'['.repeat(1e5)}${']'.repeat(1e5)}`), /tasks\.json|JSON/],
  [
    'a link to a file outside',
    (me) => {
      me.sh('ln -sf ../../beside/secret.json ralph/tasks.json');
      me.commit();
    },
    /symbolic link/,
  ],
  [
    'a link in place of its folder',
    (me) => {
      me.sh('cp -r ralph ../beside/elsewhere; rm -r ralph; ln -s ../beside/elsewhere ralph');
    },
    /symbolic link/,
  ],
  [
    'a folder',
    (me) => {
      me.sh('rm ralph/tasks.json; mkdir ralph/tasks.json; echo x >ralph/tasks.json/x');
    },
    /is a folder/,
  ],
  [
    'no file at all',
    (me) => {
      me.sh('git rm -q ralph/tasks.json');
      me.commit();
    },
    /tasks\.json is missing/,
  ],
  [
    'no folder at all',
    (me) => {
      me.sh('rm -r ralph');
    },
    /tasks\.json is missing/,
  ],
  ['bytes that are not text', (me) => void me.sh("printf '\\377\\376' >ralph/tasks.json"), /is not UTF-8 text/],
  [
    'two of one id',
    (me) => {
      me.plan.userStories.push({ ...me.story, passes: true, reviewStatus: 'approved' });
      me.end();
    },
    /Duplicate story ID: 'US-001'/,
  ],
  [
    'a story that every object has',
    (me) => {
      me.write('ralph/tasks.json', (me.read('ralph/tasks.json') ?? '').replace('"id": "US-002"', '"id": "__proto__"'));
    },
    /US-002 is gone/,
  ],
  [
    'prototypes',
    (me) => {
      me.write(
        'ralph/tasks.json',
        (me.read('ralph/tasks.json') ?? '').replace('"id": "US-001"', '"__proto__": {"passes": true, "reviewStatus": "approved"}, "id": "US-001"'),
      );
    },
    /./,
  ],
];

const FORMS = deepRows('each form of a broken list has a test of its own where it is read', ALL_FORMS, 4);

describe('an agent that replaces the list by', () => {
  let stage: StoriesStage;
  let stderr = '';
  beforeAll(async () => {
    stage = await openStoriesStage(
      two,
      FORMS.map(([, leave]) => leave),
    );
    await stage.make('secret.json');
    ({ stderr } = await stage.work('-n', `${FORMS.length + 1}`));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(FORMS.map(([name, , told], index) => [name, index, told] as const))('%s is followed by one that finds the old list', (_name, index, told) => {
    const next = stage.calls()[index + 1];
    expect(next, stderr).toMatchObject({ mode: 'implement', story: 'US-001', dirty: '' });
    expect(standings(JSON.parse(next?.form ?? 'null'))).toEqual({ 'US-001': [null, false, 0], 'US-002': [null, false, 0] });
    expect(next?.prompt.slice(next.prompt.indexOf('The last turn of this story'))).toMatch(told);
  });

  it('is something strange changes nothing else, and the list is a file again', () => {
    expect(readFileSync(join(stage.repo.beside, 'secret.json'), 'utf8')).toBe('');
    expect(lstatSync(join(stage.repo.path, LIST)).isFile()).toBe(true);
    expect(existsSync(join(stage.repo.path, 'ralph/prd.md'))).toBe(true);
    expect(stage.story('US-001').reviewStatus).toBe('needs_review');
    expectTidy(stage);
  });
});

describe.concurrent('a list', () => {
  deepIt('how a list is read and written is tested where it is done')('that an agent has made read-only can still be written', async () => {
    await using stage = await openStoriesStage(one, [
      (me) => {
        me.good();
        me.end();
        me.sh('chmod 444 ralph/tasks.json; chmod 555 ralph');
      },
    ]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expectTidy(stage);
  });

  deepIt('how a list is read and written is tested where it is done')('with a byte order mark works', async () => {
    await using stage = await openStoriesStage(one, [
      (me) => {
        me.good();
        me.write('ralph/tasks.json', `\ufeff${JSON.stringify(me.plan)}`);
        me.commit();
      },
    ]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
  });

  const ids: readonly (readonly [string, string])[] = [
    ['quotes', `it's "US" \`1\` $(touch broken) \\`],
    ['emoji', '🐛-1 – Ä'],
    ['a line break', 'US\n1'],
    ['the form of a flag', '--help'],
    ['the form of a path', '../../x'],
  ];
  it.each(deepRows('an id goes the same way whatever is in it', ids, 1))('with %s in an id is worked off', async (_name, id) => {
    await using stage = await openStoriesStage([story(id), story('B', { dependsOn: [id], priority: 0 })], [playsFirst, approvesFirst, works, works]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.events('turn.begun').map(({ story: each }) => each)).toEqual([id, id, 'B', 'B']);
    expect(stage.plan().userStories.map((each) => [each.id, each.passes])).toEqual([
      [id, true],
      ['B', true],
    ]);
    expectTidy(stage);
  });

  it('keeps its formatting and unknown fields', async () => {
    const text = `${JSON.stringify({ ...JSON.parse(planOf([{ ...story('US-001'), owner: 'ann' }])), extra: { a: 1 } }, null, 4)}\n`;
    await using stage = await openStoriesStage(two, [], { files: { [LIST]: text } });
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(stage.plan()).toMatchObject({ extra: { a: 1 }, userStories: [{ owner: 'ann', passes: true }] });
  });
});

/** A strange id may be escaped in the prompt, so the test uses the first story of the list. */
const playsFirst: Part = (me) => {
  Object.assign(me.plan.userStories[0] ?? {}, { reviewStatus: 'needs_review', notes: 'x' });
  me.save();
  me.commit('feat: first');
};
const approvesFirst: Part = (me) => {
  Object.assign(me.plan.userStories[0] ?? {}, { reviewStatus: 'approved', passes: true, reviewCount: 1 });
  me.save();
  me.commit('review: first');
};
