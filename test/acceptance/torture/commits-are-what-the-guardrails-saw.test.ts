import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { giveRemote, LOOK, MESSAGE, messageCalls, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepRows } from '../../support/deep.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

const looks = { gate: `${LOOK}; sh check.sh` };
const namesAfter = (command: string) => turn(bash(command), ...ends(MESSAGE));

describe.concurrent('what is committed is the tree the guardrail saw', () => {
  const habits: readonly (readonly [string, string, { looks: number; committed: string[]; changed: string[] }])[] = [
    ['when it only looks', ':', { looks: 1, committed: ['extra.txt', 'work.txt'], changed: [] }],
    ['when it rewrites a file, as a formatter does', "sed -i 's/done$/done./' work.txt", { looks: 2, committed: ['extra.txt', 'work.txt'], changed: [] }],
    ['when it litters', 'date +%s%N > report.txt', { looks: 2, committed: ['extra.txt', 'report.txt', 'work.txt'], changed: ['M report.txt'] }],
    ['when it removes what the agent made', 'rm -f extra.txt', { looks: 2, committed: ['work.txt'], changed: [] }],
    [
      'when it stages things of its own',
      'date +%s%N > staged.txt; git add -A',
      { looks: 2, committed: ['extra.txt', 'staged.txt', 'work.txt'], changed: ['M staged.txt'] },
    ],
  ];
  it.each(deepRows('a guardrail that changes files is judged again, whatever it changes', habits, 3))(
    '%s',
    async (_name, then, { looks: times, committed, changed }) => {
      await using stage = await openCommittingStage([turn(bash(`${WORK}; echo more > extra.txt`), ...ends(CLAIM)), names(MESSAGE)], {
        gate: `${LOOK}; sh check.sh && { ${then}; }`,
      });
      const run = await stage.run();

      expect(run.code).toBe(0);
      expect(stage.seen()).toHaveLength(times);
      expect(stage.seen().at(-1)).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
      expect(stage.inLastCommit()).toEqual(committed);
      expect(run.result).toMatchObject({ commits: 1, last_commit: stage.repo.git('rev-parse', 'HEAD'), scm_problem: null });
      expect(stage.after()).toEqual({ calls: 2, commits: 2, changed, processes: [] });
    },
  );

  it('also when a later guardrail is green only because an earlier one has changed a file', async () => {
    const guardrails = [{ command: "sed -i 's/done$/done./' work.txt" }, { command: 'grep -q "done[.]" work.txt' }];
    await using stage = await openCommittingStage([works, names(MESSAGE)], { gate: null, settings: { guardrails } });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.repo.git('show', 'HEAD:work.txt')).toBe('done.');
    expect(stage.after()).toMatchObject({ changed: [] });
  });

  it('also when who is asked for the message edits files: the guardrails look again, and the edit is in', async () => {
    await using stage = await openCommittingStage([works, namesAfter('echo "done, better" > work.txt; echo new > new.txt')], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(2);
    expect(stage.seen()[1]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.repo.git('show', 'HEAD:work.txt')).toBe('done, better');
    expect(stage.inLastCommit()).toEqual(['new.txt', 'work.txt']);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('and nothing is committed when that edit turns a guardrail red: the claim falls, and the next agent is told', async () => {
    await using stage = await openCommittingStage([works, namesAfter('echo spoilt > work.txt'), works, names(MESSAGE)], looks);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(run.stderr).toContain('Claim "DONE" not accepted: the guardrail is red.');
    expect(stage.calls()[2]?.prompt).toContain('work.txt is not done');
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.seen()[2]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toEqual({ calls: 4, commits: 2, changed: [], processes: [] });
  });

  it.each([
    ['takes everything back', 'git checkout -q .; git clean -fdq', ['start']],
    ['commits by itself', 'git add -A; git commit -qm "by itself"', ['start', 'by itself']],
    ['stages everything', 'git add -A', ['start', MESSAGE]],
  ])('also when who is asked for the message %s', async (_name, command, subjects) => {
    await using stage = await openCommittingStage([works, namesAfter(command)], { gate: LOOK });
    const run = await stage.run('--proof', 'off');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ done: true, scm_problem: null });
    expect(stage.subjects()).toEqual(subjects);
    expect(stage.seen().at(-1)).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toMatchObject({ calls: 2, changed: [], processes: [] });
  });

  it('and a hook that changes a file and adds it gets its commit judged again before the claim counts', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('pre-commit', 'echo "by the hook" >> work.txt; git add work.txt');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(2);
    expect(stage.seen()[1]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('and a hook that commits more on top of it gets HEAD judged before the claim counts', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('post-commit', '[ -e version.txt ] && exit 0; echo 2 > version.txt; git add version.txt; git commit -qm "Bump the version"');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE, 'Bump the version']);
    expect(stage.seen()).toEqual([stage.repo.git('rev-parse', 'HEAD~1^{tree}'), stage.repo.git('rev-parse', 'HEAD^{tree}')]);
    expect(run.result).toMatchObject({ done: true, commits: 1, last_commit: stage.repo.git('rev-parse', 'HEAD'), scm_problem: null });
    expect(stage.after()).toEqual({ calls: 2, commits: 3, changed: [], processes: [] });
  });

  it('and a hook that commits a spoilt work on top of it turns the iteration red', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('post-commit', 'grep -q spoilt work.txt && exit 0; echo spoilt > work.txt; git commit -qam "By the hook"');
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(run.result).toMatchObject({ done: false, claim: null });
    expect(stage.subjects()).toEqual(['start', MESSAGE, 'By the hook']);
  });

  it('and a hook that spoils the work turns the iteration red', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('pre-commit', 'echo spoilt > work.txt; git add work.txt');
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(run.result).toMatchObject({ done: false, claim: null, commits: 1 });
    expect(run.stderr).toContain('A commit hook has changed what is committed');
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });
});

describe.concurrent('a commit holds', () => {
  it('the settings and what the user had changed before, staged or not, and nothing of ours', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], {
      files: { 'staged.txt': 'old\n', 'unstaged.txt': 'old\n', 'both.txt': 'old\n', 'gone.txt': 'old\n' },
    });
    const { repo } = stage;
    for (const name of ['staged.txt', 'both.txt', 'added.txt', 'forced.txt']) await repo.write(name, 'in the index\n');
    await repo.write('.git/info/exclude', 'forced.txt\n');
    repo.git('add', 'staged.txt', 'both.txt', 'added.txt');
    repo.git('add', '-f', 'forced.txt');
    repo.git('rm', '-q', 'gone.txt');
    for (const name of ['unstaged.txt', 'both.txt', 'untracked.txt']) await repo.write(name, 'in the folder\n');
    await repo.write('.ralph/settings.local.json', '{}');
    const settings = JSON.parse(readFileSync(join(repo.path, '.ralph/settings.json'), 'utf8'));
    await repo.write('.ralph/settings.json', JSON.stringify({ ...settings, outputTruncateChars: 4000 }));
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual([
      '.ralph/settings.json',
      'added.txt',
      'both.txt',
      'forced.txt',
      'gone.txt',
      'staged.txt',
      'unstaged.txt',
      'untracked.txt',
      'work.txt',
    ]);
    expect(repo.git('show', 'HEAD:both.txt')).toBe('in the folder');
    expect(repo.git('ls-files', '.ralph')).toBe('.ralph/settings.json');
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  it('files with names of all sorts, links and modes', async () => {
    const strange = ['-rf', '"quoted"', 'new\nline', 'ünï', 'spa ce', ':(glob)x', '*'];
    const make = `node -e 'for (const n of ${JSON.stringify(strange).replaceAll("'", "'\\''")}) require("fs").writeFileSync(n, n)'`;
    const agent = turn(bash(`${WORK}; ${make}; ln -s nowhere dangling; chmod +x check.sh; mkdir empty`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    const held = stage.repo.git('diff-tree', '--no-commit-id', '--name-only', '-r', '-z', 'HEAD').split('\0').filter(Boolean);
    expect(held.sort()).toEqual([...strange, 'check.sh', 'dangling', 'work.txt'].sort());
    expect(stage.seen()).toEqual([stage.repo.git('rev-parse', 'HEAD^{tree}')]);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  it('what a submodule is on; what was changed inside it and not committed there is told', async () => {
    await using stage = await openCommittingStage([turn(bash(`${WORK}; echo dirty >> sub/readme.txt`), ...ends(CLAIM)), names(MESSAGE)]);
    const { repo } = stage;
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.path, 'sub');
    repo.git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'inside');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['.gitmodules', 'sub', 'work.txt']);
    expect(repo.git('rev-parse', 'HEAD:sub')).toBe(repo.git('-C', 'sub', 'rev-parse', 'HEAD'));
    expect(run.stderr).toMatch(/Left out of the commit: sub: what was changed in this submodule/);
    expect(readFileSync(join(repo.path, 'sub/check.sh'), 'utf8')).toContain('done');
  });
});

describe.concurrent('where there is nothing to commit', () => {
  it('nobody is asked for a message, and that is no error', async () => {
    await using stage = await openCommittingStage([turn(...ends(CLAIM))], { gate: 'true' });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 0, last_commit: null, scm_problem: null });
    expect(run.stderr).not.toMatch(/Asking the agent|[Nn]ot committed|Committed/);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('because the agent has committed by itself, the push still runs', async () => {
    const agent = turn(bash(`${WORK}; git add -A; git commit -qm "by the agent"`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent], { tasks: ['commit', 'push'] });
    giveRemote(stage);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 0, scm_problem: null });
    expect(messageCalls(stage)).toEqual([]);
    expect(stage.repo.git('log', '-1', '--format=%s', 'origin/main')).toBe('by the agent');
  });

  it('a message that does not change what the guardrails left is enough: they are not asked again', async () => {
    await using stage = await openCommittingStage([works, namesAfter('touch -d @0 work.txt; date > .ralph/guardrail_001_of_mine.log')], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(1);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });
});
