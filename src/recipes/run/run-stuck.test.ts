import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { type SettingsChange, testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { run } from './run.ts';

const settings = testSettings({ maximumIterations: 100 });
const limits = { ...settings.limits, stuckAfter: 6, failurePauseMs: 0 };

interface Iteration {
  readonly tree?: string | null;
  readonly code?: number;
  readonly attempt?: Partial<AttemptEnded>;
  readonly output?: string;
}

function played(iterations: readonly Iteration[], stuckAfter = 6, { more = {}, after = [] }: { more?: SettingsChange; after?: readonly EventBody[] } = {}) {
  const chosen = testSettings({ ...settings, ...more, limits: { ...limits, stuckAfter } });
  const bodies = iterations.flatMap(({ tree = 't', code = 1, attempt = {}, output = '' }, index): EventBody[] => {
    const number = index + 1;
    const seen = judged(
      number,
      chosen.gates.map((gate) => [gate, code]),
      { tree, tree_after: tree },
    );
    if (seen.type !== 'gates.judged') throw new Error('no gates');
    const results = seen.results.map((result) => ({ ...result, output, output_sha256: output }));
    return [
      opened(number),
      agentBegun(number),
      ended(number, attempt),
      gatesBegun(number, chosen.gates),
      { ...seen, results },
      closed(number, { result: attempt.verdict === 'failed' ? 'failed' : code === 0 ? 'green' : 'red' }),
    ];
  });
  const found = { head: null, tree: 'start', problem: null, dirty: [], dirty_count: 0 };
  const events = given({ ...runStarted(chosen), found }, ...bodies, ...after);
  const state = events.reduce(evolve, emptyState);
  return { decisions: decide(run, { state, settings: chosen, nowMs: 10_000_000 }), state };
}

const times = (count: number, iteration: Iteration = {}) => Array.from({ length: count }, () => iteration);
const trees = (...names: string[]) => names.map((tree): Iteration => ({ tree }));
const stuck = (words: string) => [{ kind: 'stop', outcome: { stop_reason: 'stuck', exit_code: 1, message: expect.stringContaining(words) } }];
const goesOn = [{ kind: 'say', event: { type: 'iteration.opened' } }];

describe('a run that gets nowhere', () => {
  it('ends as stuck when six iterations left the same files and the same results', () => {
    expect(played(times(5)).decisions).toMatchObject(goesOn);
    expect(played(times(6)).decisions).toMatchObject(stuck('the last 6 iterations left the same files and the same results'));
  });

  it('first says in the next prompt what repeats', () => {
    const told = (count: number) => played(times(count)).state.failures.map(({ message }) => message);
    expect(told(2).join()).not.toContain('Ralph has noticed');
    expect(told(3)[0]).toContain('Ralph has noticed that the last 3 iterations left the same files');
  });

  it('ends as stuck when the files alternate between two states', () => {
    expect(played(trees('a', 'b', 'a', 'b', 'a')).decisions).toMatchObject(goesOn);
    expect(played(trees('a', 'b', 'a', 'b', 'a', 'b')).decisions).toMatchObject(stuck('undo each other'));
  });

  it('ends as stuck when every tool call of six iterations fails with the same error, also without a tree', () => {
    const denied = { tree: null, attempt: { tools: 2, tool_errors: 2, tool_error: 'bwrap: Permission denied' } };
    expect(played(times(6, denied)).decisions).toMatchObject(stuck('bwrap: Permission denied'));
  });

  it('has three times as long when its files change and only the failure is the same', () => {
    const failing = (count: number) => Array.from({ length: count }, (_, index) => ({ tree: `t${index}`, output: 'FAIL the same' }));
    expect(played(failing(17)).decisions).toMatchObject(goesOn);
    expect(played(failing(18)).decisions).toMatchObject(stuck('failed in exactly the same way'));
  });

  it('asks for the files once the gates have said the same twice', () => {
    const asked = (count: number) => {
      const { state } = played(times(count, { tree: null }));
      const next = given(opened(count + 1), agentBegun(count + 1), ended(count + 1)).reduce(evolve, state);
      return decide(run, { state: next, settings: { ...settings, limits }, nowMs: 10_000_000 });
    };
    expect(asked(1)).toMatchObject([{ effect: { kind: 'run-gates', name_tree: false } }]);
    expect(asked(2)).toMatchObject([{ effect: { kind: 'run-gates', name_tree: true } }]);
  });
});

describe('honest slow work', () => {
  it.each([
    ['changes a file each time', trees('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')],
    ['changes a file in every third iteration', trees('a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'd')],
    ['turns a gate green on the way', [...times(5), ...times(5, { code: 0 })]],
    ['has a gate that prints nothing', Array.from({ length: 30 }, (_, index) => ({ tree: `t${index}`, output: '' }))],
    [
      'has an agent that runs out of turns',
      Array.from({ length: 17 }, (_, index) => ({ tree: `t${index}`, attempt: { verdict: 'failed', why: 'turns' } as const })),
    ],
    ...(['turns', 'budget', 'context', 'stopped'] as const).map((kind): [string, readonly Iteration[]] => [
      `changes files until the agent is cut off (${kind}), each time`,
      Array.from({ length: 30 }, (_, index) => ({ tree: `t${index}`, attempt: { verdict: 'failed', why: 'cut off', cause: { class: 'passing', kind } } })),
    ]),
    ['works where no tree can be named', times(12, { tree: null })],
  ])('is never stuck: it %s', (_what, iterations) => expect(played(iterations).decisions).toMatchObject(goesOn));

  it('can be given any time', () => {
    expect(played(times(40), 0).decisions).toMatchObject(goesOn);
    expect(played(times(2), 2).decisions).toMatchObject(stuck('the last 2 iterations'));
  });

  it('starts anew after a resume', () => {
    const { state } = played(times(6));
    const resumed = given({ type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } }).reduce(evolve, state);
    expect(resumed.standstill).toBeUndefined();
  });
});

describe('the same instant failure', () => {
  const atOnce = (why: string): Iteration => ({ attempt: { verdict: 'failed', why, at_once: true, cause: { class: 'passing', kind: 'crash' } } });
  const permanent = [
    {
      kind: 'stop',
      outcome: { stop_reason: 'fatal', exit_code: 4, message: expect.stringContaining('exit 127: no claude. The agent failed like this 3 times') },
    },
  ];

  it('is permanent the third time in a row', () => {
    expect(played(times(2, atOnce('exit 127: no claude'))).decisions).toMatchObject(goesOn);
    const { decisions, state } = played(times(3, atOnce('exit 127: no claude')));
    expect(decisions).toMatchObject(permanent);
    expect(state.cause).toMatchObject({ class: 'permanent', kind: 'repeated' });
  });

  it('passes when it is another one each time, or the agent did something in between', () => {
    expect(played([atOnce('a'), atOnce('b'), atOnce('a'), atOnce('b')]).decisions).toMatchObject(goesOn);
    expect(played([...times(2, atOnce('a')), { tree: 'b' }, ...times(2, atOnce('a'))]).decisions).toMatchObject(goesOn);
    const late = { attempt: { verdict: 'failed', why: 'a', cause: { class: 'passing', kind: 'crash' } } } as const;
    expect(played([...times(2, atOnce('a')), late, atOnce('a')]).decisions).toMatchObject(goesOn);
  });
});

describe('a run of several agents that gets nowhere', () => {
  const named = (name: string) => ({ ...settings.agent, command: name });
  const more = { agent: named('one'), fallback: [named('two'), named('three')] };
  const asked = (count: number, after: readonly EventBody[] = []) => played(times(count), 6, { more, after: [opened(count + 1), ...after] }).decisions;
  const asks = (agent: string, instead?: string) => [{ kind: 'do', effect: { kind: 'run-agent', agent, ...(instead && { instead_of: instead }) } }];

  it('gives each iteration to the next agent of the list from half of what makes it stuck on', () => {
    expect(asked(2)).toMatchObject(asks('one'));
    expect(asked(2)[0]).not.toHaveProperty('effect.instead_of');
    expect(asked(3)).toMatchObject(asks('two', 'one'));
    expect(asked(4)).toMatchObject(asks('three', 'one'));
    expect(asked(5)).toMatchObject(asks('one'));
    expect(played(times(6), 6, { more }).decisions).toMatchObject(stuck('the last 6 iterations'));
  });

  it('returns to the first one with the first progress', () => {
    const progress = [...times(4), { tree: 'other' }];
    expect(played(progress, 6, { more, after: [opened(6)] }).decisions).toMatchObject(asks('one'));
  });

  it('repeats an attempt of such an iteration with the same agent', () => {
    expect(asked(3, [agentBegun(4), ended(4, { agent: 'two', verdict: 'empty' })])).toMatchObject(asks('two', 'one'));
  });

  it('leaves out the one that is limited', () => {
    const limit = ended(4, { agent: 'two', verdict: 'limited', limit_resets_at: 90_000_000 });
    expect(asked(3, [agentBegun(4), limit])).toMatchObject(asks('three', 'one'));
  });
});
