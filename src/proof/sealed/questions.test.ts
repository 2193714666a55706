import { describe, expect, it } from 'vitest';
import { judgeRound, linesFor, roundsOf } from './questions.ts';
import { checksFor, countsOf, readSealedList, type SealedList } from './sealed-list.ts';

const listOf = (value: unknown): SealedList => {
  const list = readSealedList(JSON.stringify(value));
  if ('problem' in list) throw new Error(list.problem);
  return list;
};
const adding = listOf({
  checks: [
    { driver: 'add', input: [1, 2], expect: 3 },
    { driver: 'add', input: [2, 2], expect: { sum: 4, of: [2, 2] } },
  ],
});
const dice = (pick: (most: number) => number) => {
  const given: string[] = [];
  return { nonce: () => `nonce-${given.push('')}`, below: pick };
};
const theRound = (list: SealedList) => {
  const [round] = roundsOf(
    list,
    dice(() => 0),
  );
  if (round === undefined) throw new Error('no round');
  return round;
};
const answers = (round: ReturnType<typeof theRound>, value: (index: number, expected: unknown) => unknown) =>
  round.questions.map(({ nonce, check }, index) => `\n${nonce} ${JSON.stringify(value(index, check.expect?.value))}\n`).join('');
const greens = (output: string, endedWell = true) => judgeRound(theRound(adding), { output, endedWell }).map(({ green }) => green);

describe('the questions for a driver', () => {
  it('ask every check at least twice, in one process, each time with a fresh nonce', () => {
    const { questions } = theRound(adding);
    expect(questions).toHaveLength(4);
    expect(new Set(questions.map(({ nonce }) => nonce)).size).toBe(4);
    expect(linesFor(theRound(adding)).split('\n')[0]).toMatch(/^nonce-\d \[1,2\]$/);
  });

  it('come in an order and a number that the dice choose', () => {
    const inputs = (pick: (most: number) => number) => roundsOf(adding, dice(pick)).flatMap(({ questions }) => questions.map(({ check }) => check.input));
    expect(inputs(() => 0)).toEqual([
      [1, 2],
      [1, 2],
      [2, 2],
      [2, 2],
    ]);
    expect(inputs((most) => most - 1)).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it('never contain what is expected', () => {
    expect(linesFor(theRound(listOf({ checks: [{ driver: 'a', input: 1, expect: 'the secret' }] })))).not.toContain('secret');
  });
});

describe('an answer to a sealed check', () => {
  const right = answers(theRound(adding), (_, expected) => expected);

  it('is right by its value, whatever the order of its keys and whatever else is printed', () => {
    expect(greens(`noise\n${right.replaceAll('{"sum":4,"of":[2,2]}', '{"of":[2,2],"sum":4}')}more noise`)).toEqual([true, true]);
  });

  it.each([
    ['is missing', ''],
    ['was given to another question', answers(theRound(adding), (index, expected) => (index < 2 ? [index] : expected))],
    ['is right only once', answers(theRound(adding), (index, expected) => (index % 2 === 0 ? expected : 9))],
    ['is not JSON', right.replaceAll(' 3', ' [object Object]')],
    ['is given twice and differently', `${right}${answers(theRound(adding), () => 7)}`],
    ['has an unknown nonce', right.replaceAll('nonce-', 'guess-')],
  ])('is wrong if it %s', (_, output) => {
    expect(greens(output)).toContain(false);
  });

  it('is wrong if the driver did not end well', () => {
    expect(greens(right, false)).toEqual([false, false]);
  });

  it('is an exit code if nothing is expected, which is weak', () => {
    const weak = listOf({ checks: [{ driver: 'sh x.sh' }, ...[3, null].map((expect) => ({ driver: 'a', expect }))] });
    expect(countsOf(weak)).toEqual({ checks: 3, weak: 1 });
    const round = roundsOf(
      weak,
      dice(() => 0),
    ).find(({ isWeak }) => isWeak);
    expect(round && [true, false].map((endedWell) => judgeRound(round, { output: '', endedWell })[0]?.green)).toEqual([true, false]);
  });
});

describe('a list of sealed checks', () => {
  it.each([
    ['not JSON', '{"checks": [{"driver": SECRET'],
    ['checks', '{"checks": []}'],
    ['checks.0', '{"checks": [{"driver": ""}]}'],
    ['checks.0', '{"checks": [{"driver": "a", "SECRET": 1}]}'],
    ['timeout', '{"timeout": "SECRET", "checks": [{"driver": "a"}]}'],
  ])('that is wrong is reported by the place (%s), without its contents', (where, text) => {
    const list = readSealedList(text);
    const problem = 'problem' in list ? list.problem : '';
    expect(problem).toContain(where);
    expect(problem).not.toContain('SECRET');
  });

  it('has checks for one task, and checks for all', () => {
    const list = listOf({ checks: [{ driver: 'all' }, { driver: 'one', tasks: ['T1'] }] });
    expect(['T1', 'T2'].map((task) => checksFor(list, task).checks.map(({ driver }) => driver))).toEqual([['all', 'one'], ['all']]);
  });
});
