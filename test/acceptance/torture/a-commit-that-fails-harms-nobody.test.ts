import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { goesOn, MESSAGE, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import { makeFightingBranches } from '../../support/fighting-branches.ts';
import { openGitPlace } from '../../support/place.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';
import { openTerminal, terminalIsMissing } from '../../support/terminal.ts';

/** Only the first time. */
const once = (command: string) => `[ -e ../beside/once ] && exit 0; touch ../beside/once\n${command}`;

const hooks: readonly (readonly [name: string, hook: string, script: string, said: RegExp])[] = [
  ['refuses and says why', 'pre-commit', 'echo checking; echo "no tabs, please" >&2; exit 1', /no tabs, please/],
  ['refuses without a message', 'pre-commit', 'exit 3', /hook may have refused/],
  ['refuses the message', 'commit-msg', 'echo "a message needs a ticket" >&2; exit 1', /a message needs a ticket/],
  ['asks a question on stdin', 'pre-commit', 'printf "Sure? "; read answer || { echo "no answer"; exit 1; }', /no answer/],
  ['asks a question on the terminal', 'pre-commit', 'read answer < /dev/tty || { echo "no terminal"; exit 1; }', /no terminal/],
  ['hangs', 'pre-commit', 'sleep 600', /timed out after 3s/],
  ['hangs and ignores signals', 'pre-commit', `trap '' TERM INT HUP; sleep 600 & wait; sleep 600`, /timed out after 3s/],
  ['kills its git', 'pre-commit', 'kill -9 $PPID; sleep 600', /SIGKILL/],
  ['kills its group', 'pre-commit', 'kill -9 0', /SIGKILL/],
  ['prints without end', 'prepare-commit-msg', 'yes no; exit 1', /bytes|timed out/],
  ['cannot be run', 'pre-commit', 'exec /no/such/program', /no\/such\/program/],
];

describe.concurrent('a hook that', () => {
  it.each(deepRows('what a hook may do to a commit is tested where git is called', hooks, 3))(
    '%s costs a commit, not the run nor the work: the next green iteration commits it all',
    async (_name, hook, script, said) => {
      await using stage = await openCommittingStage([goesOn, names('First'), works, names(MESSAGE)], { timeout: '3s' });
      await stage.hook(hook, once(script));
      const run = await stage.run();

      expect(run.code).toBe(0);
      expect(iterationsOf(run)).toEqual(['green', 'green']);
      expect(run.stderr).toMatch(new RegExp(`Not committed: .*(${said.source})`));
      expect(run.result).toMatchObject({ stop_reason: 'completed', commits: 1, scm_problem: null });
      expect(stage.subjects()).toEqual(['start', MESSAGE]);
      expect(stage.inLastCommit()).toEqual(['more.txt', 'work.txt']);
      expect(existsSync(join(stage.repo.path, '.git/index.lock'))).toBe(false);
      expect(stage.after()).toEqual({ calls: 4, commits: 2, changed: [], processes: [] });
    },
  );

  it('refuses the last commit is reported at the end; the claim counts, and the work stays uncommitted', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { tasks: ['commit', 'tag made'] });
    await stage.hook('pre-commit', 'echo "no tabs, please" >&2; exit 1');
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, commits: 0, last_commit: null });
    expect(run.result?.scm_problem).toContain('no tabs, please');
    expect(stage.repo.git('tag')).toBe('');
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['?? work.txt'], processes: [] });
  });

  it('refuses keeps the staged changes of the user', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { files: { 'both.txt': 'old\n' } });
    await stage.repo.write('both.txt', 'in the index\n');
    stage.repo.git('add', 'both.txt');
    await stage.repo.write('both.txt', 'in the folder\n');
    await stage.hook('pre-commit', 'exit 1');
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(stage.repo.git('show', ':both.txt')).toBe('in the index');
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['MM both.txt', '?? work.txt'], processes: [] });
  });

  it('leaves a daemon behind, even in its own session, has it ended', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    await stage.hook('post-commit', 'setsid sleep 600 >/dev/null 2>&1 </dev/null & sleep 600 &');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  deepIt('what may be in the way of a commit is tested where git commits')('hangs after the commit does not undo it', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { timeout: '3s' });
    await stage.hook('post-commit', 'sleep 600');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 1, last_commit: stage.repo.git('rev-parse', 'HEAD'), scm_problem: null });
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });
});

describe.skipIf(terminalIsMissing())('on a real terminal', () => {
  it('a hook that asks a question gets no answer and does not block the run', async () => {
    await using place = await openGitPlace();
    place.git('config', 'user.name', 'The User');
    place.git('config', 'user.email', 'user@example.com');
    await place.write('.ralph/settings.json', JSON.stringify({ scm: { command: 'git', tasks: ['commit'], timeout: '20s' } }));
    await place.write('.git/hooks/pre-commit', '#!/bin/sh\nread answer < /dev/tty || { echo "no terminal"; exit 1; }\n', 0o755);
    const agent = await place.write('../beside/worker.sh', `cat >/dev/null; ${WORK}; echo DONE\n`);
    using terminal = openTerminal(['run', '-p', 'Do the work.', '--agent', `sh ${agent}`, '--guardrail', 'true'], place.path, place.beside);

    expect(await terminal.exitCode()).toBe(1);
    expect(terminal.screen()).toContain('Not committed: no terminal');
    expect(place.git('rev-list', '--count', 'HEAD')).toBe('1');
  });
});

describe.concurrent('in the middle of a run', () => {
  const begun: readonly (readonly [string, string, string, RegExp])[] = [
    ['a merge', 'git merge -q --no-commit --no-ff side', 'git merge --abort', /a merge is under way/],
    ['a merge with conflicts', 'git merge -q fight', 'git merge --abort', /a merge is under way/],
    ['a rebase', 'git rebase -q fight', 'git rebase --abort', /a rebase is under way/],
    ['a cherry-pick', 'git cherry-pick fight', 'git cherry-pick --abort', /a cherry-pick is under way/],
    ['a bisect', 'git bisect start', 'git bisect reset', /a bisect is under way/],
  ];
  it.each(deepRows('what is under way is told where git is looked at', begun, 1))(
    '%s that an agent begins is not committed into; the run goes on, and commits once it is over',
    async (_name, begin, end, said) => {
      const begins = turn(bash(begin), bash(WORK), ...ends('Not there yet.'));
      await using stage = await openCommittingStage([begins, names('Into it'), turn(bash(`rm -f work.txt; ${end}; ${WORK}`), ...ends(CLAIM)), names(MESSAGE)]);
      await makeFightingBranches(stage.repo);
      const run = await stage.run('-m', '2');

      expect(run.code).toBe(0);
      expect(iterationsOf(run)).toEqual(['green', 'green']);
      expect(run.stderr).toMatch(new RegExp(`Not committed: .*${said.source}`));
      expect(stage.subjects()).toEqual(['start', 'main', MESSAGE]);
      expect(stage.inLastCommit()).toEqual(['work.txt']);
      expect(stage.after()).toMatchObject({ commits: 3, changed: [], processes: [] });
    },
  );

  it.each([
    ['a signature that cannot be made', ['commit.gpgSign', 'true'], ['gpg.program', 'false'], /gpg failed to sign/],
    ['a filter that cannot be run', ['filter.broken.clean', 'false'], ['filter.broken.required', 'true'], /git cannot name the working copy: .*filter/],
  ] as const)('%s is reported, and the work is not called done', async (_name, one, other, said) => {
    const agent = turn(bash(`${WORK}; echo "more.txt filter=broken" > .gitattributes; date > more.txt`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)]);
    stage.repo.git('config', ...one);
    stage.repo.git('config', ...other);
    // The checks before a run would find the signature.
    const run = await stage.run('--no-preflight');

    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(new RegExp(`Not committed: .*${said.source}`));
    expect(run.result?.scm_problem).toMatch(said);
    expect(stage.subjects()).toEqual(['start']);
  });

  deepIt('what may be in the way of a commit is tested where git commits')(
    'a foreign index.lock is named and not removed, and commits work again once it is gone',
    async () => {
      const locks = turn(bash(`${WORK}; touch .git/index.lock`), ...ends('Not there yet.'));
      const unlocks = turn(bash('rm .git/index.lock'), ...ends(CLAIM));
      await using stage = await openCommittingStage([locks, names('First'), unlocks, names(MESSAGE)]);
      const run = await stage.run('-m', '2');

      expect(run.code).toBe(0);
      expect(run.stderr).toMatch(/Not committed: another git holds .*index\.lock.*remove that file/);
      expect(stage.subjects()).toEqual(['start', MESSAGE]);
    },
  );

  deepIt('what may be in the way of a commit is tested where git commits')(
    'a repository that an agent removes prevents commits, but does not stop the run',
    async () => {
      const agent = turn(bash(`${WORK}; mv .git/HEAD .git/HEAD.away`), ...ends('Not there yet.'));
      const mends = turn(bash('mv .git/HEAD.away .git/HEAD'), ...ends(CLAIM));
      await using stage = await openCommittingStage([agent, mends, names(MESSAGE)]);
      const run = await stage.run('-m', '2');

      expect(run.code).toBe(0);
      expect(iterationsOf(run)).toEqual(['green', 'green']);
      expect(stage.subjects()).toEqual(['start', MESSAGE]);
    },
  );
});
