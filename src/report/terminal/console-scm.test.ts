import { describe, expect, it } from 'vitest';
import { lint, type Moment, play, say, spent, started } from '../../../test/support/play-on-console.ts';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { CommitMade, CommitRefused } from '../../journal/events/scm.ts';
import { notDone } from '../../journal/words/outcome.ts';

const scm = { command: 'git', tasks: ['commit', 'push'], timeoutMs: 60_000, message: 'agent' as const };
const SHA = 'abc1234def5678abc1234def5678abc1234def56';

const asked: EventBody = {
  type: 'effect.begun',
  key: 'agent:1.2',
  effect: {
    kind: 'run-agent',
    key: 'agent:1.2',
    iteration: 1,
    attempt: 2,
    role: 'message',
    prompt: 'Say it.',
    about: '',
    failures: [],
    maximum: 10,
    context: null,
    previous_life: null,
    until: null,
    budget_usd: null,
  },
};
const answered = (over: Partial<AttemptEnded> = {}) => ended(1, { attempt: 2, role: 'message', message: 'Add the parser', tree: 't1', ...over });

const commitBegun: EventBody = {
  type: 'effect.begun',
  key: 'commit:1.0',
  effect: {
    ...{ kind: 'commit', key: 'commit:1.0', iteration: 1, attempt: 2, task: 0, parent: 'p', flags: [] },
    ...{ message: 'Add the parser\n\nWith tests.', tree: 't1', tree_after: 't1' },
  },
};
const made = (over: Partial<CommitMade> = {}): EventBody => ({
  type: 'commit.made',
  ...{ key: 'commit:1.0', iteration: 1, commit: SHA, tree: 't1', message: 'Add the parser\n\nWith tests.', left_out: [] },
  ...over,
});
const refused = (reason: CommitRefused['reason'], detail: string): EventBody => ({
  type: 'commit.refused',
  key: 'commit:1.0',
  iteration: 1,
  reason,
  detail,
  tree: 't1',
});

const argv = ['git', 'push', 'my remote'];
const pushBegun: EventBody = {
  type: 'effect.begun',
  key: 'scm:1.1',
  effect: { kind: 'run-command', key: 'scm:1.1', iteration: 1, attempt: 2, task: 1, argv, repeatable: true },
};
const pushed = (ending: Ending, last_line = ''): EventBody => ({
  type: 'command.ended',
  ...{ key: 'scm:1.1', iteration: 1, argv, ending, last_line, log: '.ralph/scm_001_push.log', duration_ms: 340, tree: null },
});

const green = judged(1, [[lint, 0]], { tree: 't1', tree_after: 't1' });
const work = [started({ scm, gates: [lint] }), opened(1), agentBegun(1, 1), ended(1, { spent }), gatesBegun(1, [lint]), green];
/** The screen after the guardrails were green. */
const shownAfter = (moments: readonly (EventBody | Moment)[], over = {}) => play([...work, ...moments], over).slice(play(work, over).length);

describe('the SCM tasks of a green iteration', () => {
  it('are shown as they are done, without what the agent says only for the loop', () => {
    expect(shownAfter([asked, say('Add the parser'), answered(), commitBegun, made(), pushBegun, pushed({ kind: 'exited', code: 0 })])).toBe(`
Asking the agent for a commit message…
Committing…
Committed abc1234 Add the parser
SCM start: git push 'my remote'
SCM end: git push 'my remote' (exit 0)
`);
  });

  it('say why they failed, and where to read more', () => {
    expect(shownAfter([pushBegun, pushed({ kind: 'exited', code: 1 }, '! [rejected] main -> main (fetch first)')])).toBe(`SCM start: git push 'my remote'
SCM end: git push 'my remote' (exit 1)
  ⎿  ! [rejected] main -> main (fetch first)
  ⎿  .ralph/scm_001_push.log
`);
  });

  it('end without a message when the agent gives none', () => {
    expect(shownAfter([asked, answered({ verdict: 'failed', message: null, why: 'exit code 1' }), refused('no-message', 'the agent gave none')])).toBe(`
Asking the agent for a commit message…
No commit message: exit code 1
Not committed: the agent gave none
`);
  });

  it.each([
    ['another one', 't2', 'The agent changed files although it was asked only for a message: the checks run again.'],
    ['none that can be named', null, 'Whether the agent changed anything cannot be seen: the checks run again.'],
  ])('say why the checks run again when the message left a tree that is %s', (_, tree, expected) => {
    expect(shownAfter([asked, answered({ tree })])).toBe(`\nAsking the agent for a commit message…\n${expected}\n`);
  });

  it('say how long a usage limit delays the next agent', () => {
    expect(shownAfter([asked, answered({ verdict: 'limited', message: null, why: 'usage limit' })])).toContain(
      '\nNo commit message: usage limit\n\nUsage limit: waiting until ',
    );
  });

  it('say of a usage limit at the end of a run that nobody waits for it', () => {
    const claimed = ended(1, { spent, claim: { by: 'response', text: 'DONE' } });
    const limited = answered({ verdict: 'limited', message: null, why: 'usage limit' });
    const shown = play([started({ scm, gates: [lint] }), opened(1), agentBegun(1, 1), claimed, gatesBegun(1, [lint]), green, asked, limited]);
    expect(shown).toContain('\nNo commit message: usage limit\n\nUsage limit: not waited for.\n');
  });

  it('say that the checks run again when the working copy changed, and when they will not', () => {
    const changed = refused('changed', 'the working copy kept changing');
    const again = 'Not committed: the working copy changed after the checks: they run again';
    expect(
      shownAfter([commitBegun, changed, commitBegun, changed, commitBegun, changed])
        .split('\n')
        .filter((line) => line.startsWith('Not')),
    ).toEqual([again, again, 'Not committed: the working copy kept changing']);
  });

  it('say what a commit could not include, and what a hook changed in it', () => {
    const paths = Array.from({ length: 7 }, (_, index) => `module-${index}`);
    expect(shownAfter([commitBegun, made({ tree: 't2', left_out: paths })])).toBe(`Committing…
Committed abc1234 Add the parser
⚠️ Left out of the commit: module-0
⚠️ Left out of the commit: module-1
⚠️ Left out of the commit: module-2
⚠️ Left out of the commit: module-3
⚠️ Left out of the commit: module-4
⚠️ and 2 more
A commit hook has changed what is committed: the checks run again.
`);
  });

  it('say how long they took when timings are on', () => {
    const screen = shownAfter([commitBegun, made(), pushBegun, pushed({ kind: 'exited', code: 0 })], { verbose: true });
    for (const line of ['The commit took 1.0s', "Running SCM task: git push 'my remote'", 'SCM task exited with code 0 (0.3s)']) {
      expect(screen).toContain(`[ralph] ${line}\n`);
    }
  });
});

describe('the summary of a run with SCM tasks', () => {
  const stopped: EventBody = { type: 'run.stopped', outcome: notDone('max_iterations', 'Spent.') };
  const rows = (moments: readonly (EventBody | Moment)[]) => shownAfter([...moments, closed(1, { result: 'green' }), stopped]);

  it('counts the commits and names the last', () => {
    expect(rows([asked, answered(), commitBegun, made()])).toContain('\n  commits     1, last abc1234 Add the parser\n');
  });

  it('says why the last SCM tasks failed', () => {
    expect(rows([commitBegun, refused('failed', 'pre-commit said no')])).toContain('\n  commits     none\n  scm         not done: pre-commit said no\n');
  });

  it('counts a commit message of unknown cost as much as the cheapest attempt of the run', () => {
    const spent = { input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd: null, estimated: false };
    expect(rows([asked, answered({ spent }), commitBegun, made()])).toContain('\n  spent       $11.52 (estimated), tokens 1.2M in');
  });
});

describe('settings that change during a run', () => {
  it.each([
    [['.ralph/settings.json'], '⚠️ .ralph/settings.json was changed. This run keeps the settings it was started with.\n'],
    [['a.json', 'b.json'], '⚠️ a.json and b.json were changed. This run keeps the settings it was started with.\n'],
  ])('%o are reported as not used', (files, expected) => {
    expect(shownAfter([{ type: 'settings.seen', files }])).toBe(expected);
  });
});
