import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, claim, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { MESSAGE_PROMPT } from '../shared/scm-tasks.ts';
import { run } from './run.ts';

const withTasks = (...tasks: string[]) => testSettings({ scm: { command: 'git', tasks, timeoutMs: 60_000, message: 'agent' } });
const settings = withTasks('commit', 'push');
const { gates } = settings;

const green = (attempt = 1, trees: object = { tree: 't1', tree_after: 't1', head: 'c0', head_tree: 't0' }): EventBody =>
  judged(
    1,
    gates.map((gate) => [gate, 0]),
    { attempt, ...trees },
  );
const begun = (effect: Effect): EventBody => ({ type: 'effect.begun', key: effect.key, effect });

const work = [opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), green()];
const messageBegun = begun({
  kind: 'run-agent',
  key: 'agent:1.2',
  iteration: 1,
  attempt: 2,
  role: 'message',
  prompt: '',
  about: '',
  failures: [],
  maximum: 5,
  context: null,
  previous_life: null,
  until: null,
  budget_usd: null,
});
const told = (over: Parameters<typeof ended>[1] = {}): EventBody[] => [
  messageBegun,
  ended(1, { attempt: 2, role: 'message', message: 'Add it', tree: 't1', ...over }),
];
const made: EventBody = { type: 'commit.made', key: 'commit:1.0', iteration: 1, commit: 'c1', tree: 't1', message: 'Add it', left_out: [] };

function stateAfter(bodies: readonly EventBody[], chosen = settings) {
  return given(runStarted(chosen), ...bodies).reduce(evolve, emptyState);
}

function decided(bodies: readonly EventBody[], chosen = settings) {
  return decide(run, { state: stateAfter(bodies, chosen), settings: chosen, nowMs: 1_000 * (bodies.length + 2) });
}

/** The only effect that is requested now. */
function nextEffect(bodies: readonly EventBody[], chosen = settings): Effect {
  const [decision] = decided(bodies, chosen);
  if (decision?.kind !== 'do') throw new Error(`no effect but ${JSON.stringify(decision)}`);
  return decision.effect;
}

const committing = [...work, ...told()];
const committed = [...committing, begun(nextEffect(committing)), made];

describe('the SCM tasks of a green iteration', () => {
  it('begin with the question for a message, then run in order, before the claim is accepted', () => {
    expect(decided(work)).toMatchObject([{ kind: 'do', effect: { kind: 'run-agent', role: 'message', prompt: MESSAGE_PROMPT, attempt: 2 } }]);
    expect(decided(committing)).toMatchObject([
      { kind: 'do', effect: { kind: 'commit', key: 'commit:1.0', parent: 'c0', message: 'Add it', tree: 't1', tree_after: 't1' } },
    ]);
    expect(decided(committed)).toMatchObject([{ kind: 'do', effect: { kind: 'run-command', argv: ['git', 'push'], repeatable: true } }]);
    const pushed: EventBody = {
      type: 'command.ended',
      key: 'scm:1.1',
      iteration: 1,
      argv: ['git', 'push'],
      ending: { kind: 'exited', code: 0 },
      last_line: '',
      log: '',
      duration_ms: 1,
      tree: null,
    };
    const all = [...committed, begun(nextEffect(committed)), pushed];
    expect(decided(all)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
    expect(stateAfter(all).commits).toEqual({ count: 1, last: { commit: 'c1', tree: 't1', message: 'Add it' }, problem: null });
  });

  it('do not start while a gate is red or the agent failed', () => {
    const red = judged(
      1,
      gates.map((gate) => [gate, 1]),
      { tree: 't1', tree_after: 't1' },
    );
    expect(decided([...work.slice(0, -1), red])).toMatchObject([{ kind: 'say', event: { result: 'red' } }]);
    const failed = [opened(1), agentBegun(1), ended(1, { verdict: 'failed' }), gatesBegun(1, gates), green()];
    expect(decided(failed)).toMatchObject([{ kind: 'say', event: { result: 'failed' } }]);
  });

  it('ask for no message when there is nothing to commit, and still push', () => {
    const clean = [...work.slice(0, -1), green(1, { tree: 't0', tree_after: 't0', head: 'c0', head_tree: 't0' })];
    expect(decided(clean)).toMatchObject([{ kind: 'do', effect: { kind: 'run-command', argv: ['git', 'push'] } }]);
    expect(decided(clean, withTasks('commit'))).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed' } }]);
  });

  it.each([
    ['said nothing', { message: null }],
    ['met a limit', { message: null, verdict: 'limited' as const, limit_resets_at: 10_000_000 }],
    ['failed', { message: null, verdict: 'failed' as const }],
    ['is not logged in any more', { message: null, verdict: 'fatal' as const, exit_code_if_fatal: 4 as const }],
  ])('fail when the agent %s, and the loop continues', (_why, over) => {
    const silent = [...work, ...told(over)];
    const [refusal] = decided(silent);
    expect(refusal).toMatchObject({ kind: 'say', event: { type: 'commit.refused', reason: 'no-message', detail: expect.stringContaining('commit message') } });
    if (refusal?.kind !== 'say') throw new Error('nothing said');
    const after = [...silent, refusal.event];
    expect(decided(after)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green', accepted: true } }]);
    expect(stateAfter(after).fatal).toBeNull();
    expect(stateAfter(after).commits.problem).toContain('commit message');
    // The work is done, but who asked for a commit has none.
    const message = expect.stringContaining('but it is not in the version control');
    expect(decided([...after, closed(1, { result: 'green', claim, accepted: true })])).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 1, message } },
    ]);
  });

  it('run the gates again when the call for the message changed files, and do not ask twice', () => {
    const meddled = [...work, ...told({ tree: 't2' })];
    expect(decided(meddled)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:1.2', attempt: 2, phase: 'message', keep_tree: true } }]);
    const judgedAgain = [...meddled, green(2, { tree: 't2', tree_after: 't2', head: 'c0', head_tree: 't0' })];
    expect(decided(judgedAgain)).toMatchObject([{ kind: 'do', effect: { kind: 'commit', tree: 't2', message: 'Add it' } }]);
    const spoilt = judged(
      1,
      gates.map((gate) => [gate, 1]),
      { attempt: 2, tree: 't2', tree_after: 't2' },
    );
    expect(decided([...meddled, spoilt])).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
  });

  it('run the gates again when it is unknown whether that call changed files', () => {
    expect(decided([...work, ...told({ tree: null })])).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('ask again when the loop died during the question', () => {
    expect(decided([...work, ...told({ message: null, verdict: 'lost' })])).toMatchObject([{ kind: 'do', effect: { role: 'message', attempt: 3 } }]);
  });

  it('run the gates once more on what the gates changed, and commit what they saw then', () => {
    const formatted = [...work.slice(0, -1), green(1, { tree: 't1', tree_after: 't1-formatted', head: 'c0', head_tree: 't0' })];
    expect(decided(formatted)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:1.1~1', phase: 'again_1', keep_tree: true } }]);
    const stable = [
      ...formatted,
      green(1, { tree: 't1-formatted', tree_after: 't1-formatted', head: 'c0', head_tree: 't0' }),
      ...told({ tree: 't1-formatted' }),
    ];
    expect(decided(stable)).toMatchObject([{ kind: 'do', effect: { kind: 'commit', tree: 't1-formatted' } }]);
    const spoilt = judged(
      1,
      gates.map((gate) => [gate, 1]),
      { tree: 't1-formatted', tree_after: 't1-formatted' },
    );
    expect(decided([...formatted, spoilt])).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
  });

  it('leave what the gates change every time for the next commit', () => {
    const littered = [
      ...work.slice(0, -1),
      green(1, { tree: 't1', tree_after: 't1-report', head: 'c0', head_tree: 't0' }),
      green(1, { tree: 't1-report', tree_after: 't1-report-2', head: 'c0', head_tree: 't0' }),
      ...told({ tree: 't1-report-2' }),
    ];
    expect(decided(littered)).toMatchObject([{ kind: 'do', effect: { kind: 'commit', tree: 't1-report', tree_after: 't1-report-2' } }]);
  });

  it('run the gates again when the workspace changed during the commit, a few times', () => {
    const refused = (n: number): EventBody => ({
      type: 'commit.refused',
      key: `commit:1.0${n === 0 ? '' : `~${n}`}`,
      iteration: 1,
      reason: 'changed',
      detail: 'the working copy changed',
      tree: 't9',
    });
    const once = [...committing, begun(nextEffect(committing)), refused(0)];
    expect(decided(once)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:1.1~1' } }]);
    const twice = [...once, green(), begun(nextEffect([...once, green()])), refused(1)];
    expect(decided(twice)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:1.1~2' } }]);
    const often = [...twice, green(), begun(nextEffect([...twice, green()])), refused(2)];
    expect(decided(often)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:1.1~3' } }]);
    expect(decided([...often, green()])).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green' } }]);
    expect(stateAfter(often).commits.problem).toBe('the working copy changed');
  });

  it('run the gates again when a hook has changed the committed files', () => {
    const hooked = [...committing, begun(nextEffect(committing)), { ...made, tree: 't1-formatted' } as EventBody];
    expect(decided(hooked)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    const seen = [...hooked, green(1, { tree: 't1-formatted', tree_after: 't1-formatted', head: 'c1', head_tree: 't1-formatted' })];
    expect(decided(seen)).toMatchObject([{ kind: 'do', effect: { kind: 'run-command' } }]);
  });

  it('stop at the first that fails, and say why', () => {
    const refused: EventBody = { type: 'commit.refused', key: 'commit:1.0', iteration: 1, reason: 'failed', detail: 'pre-commit: no', tree: 't1' };
    const failed = [...committing, begun(nextEffect(committing)), refused];
    expect(decided(failed)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', result: 'green', accepted: true } }]);
    expect(stateAfter(failed).commits).toMatchObject({ count: 0, problem: 'pre-commit: no' });
    expect(stateAfter([...failed, closed(1, { result: 'green' }), opened(2)]).open[0]?.scm.over).toBe(false);
  });

  it('run the gates again when a hook refused after changing files', () => {
    const refused: EventBody = { type: 'commit.refused', key: 'commit:1.0', iteration: 1, reason: 'failed', detail: 'reformatted', tree: 't1-formatted' };
    const failed = [...committing, begun(nextEffect(committing)), refused];
    expect(decided(failed)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    const seen = [...failed, green(1, { tree: 't1-formatted', tree_after: 't1-formatted', head: 'c0', head_tree: 't0' })];
    expect(decided(seen)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('run the gates again when another task has changed files', () => {
    const chosen = withTasks('commit', 'pull --rebase');
    const pulled: EventBody = {
      type: 'command.ended',
      key: 'scm:1.1',
      iteration: 1,
      argv: ['git', 'pull', '--rebase'],
      ending: { kind: 'exited', code: 0 },
      last_line: '',
      log: '',
      duration_ms: 1,
      tree: 't2',
    };
    const before = [...committed, begun(nextEffect(committed, chosen))];
    expect(decided([...before, pulled], chosen)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
    expect(decided([...before, { ...pulled, tree: 't1' }], chosen)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed' } }]);
  });

  it('continue while draining, and are skipped on an abort', () => {
    const asked = (what: 'drain' | 'abort'): EventBody => ({ type: 'operator.asked', what, by: 'SIGINT' });
    expect(decided([...work, asked('drain')])).toMatchObject([{ kind: 'do', effect: { role: 'message' } }]);
    expect(decided([...work, asked('abort')])).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed' } }]);
  });

  it('give another SCM its message as an argument', () => {
    const other = testSettings({ scm: { command: 'hg --debug', tasks: ['commit', "tag 'a b'"], timeoutMs: 0, message: 'agent' } });
    const ready = [...work, ...told()];
    expect(nextEffect(ready, other)).toMatchObject({ kind: 'run-command', argv: ['hg', '--debug', 'commit', '-am', 'Add it'], repeatable: false });
  });

  it('pass on the flags that the operator adds to a commit', () => {
    expect(nextEffect(committing, withTasks('commit --no-verify --signoff'))).toMatchObject({ kind: 'commit', flags: ['--no-verify', '--signoff'] });
  });
});
