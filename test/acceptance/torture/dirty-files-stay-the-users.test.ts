import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { type CommittingStage, goesOn, MESSAGE, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { WORK } from '../../support/stage.ts';

const files = { 'staged.txt': 'old\n', 'unstaged.txt': 'old\n', 'both.txt': 'old\n', 'gone.txt': 'old\n' };

/** Files that are dirty in every way git knows. */
async function makeDirt({ repo }: CommittingStage): Promise<string> {
  for (const name of ['staged.txt', 'both.txt', 'added.txt']) await repo.write(name, 'in the index\n');
  repo.git('add', 'staged.txt', 'both.txt', 'added.txt');
  repo.git('rm', '-q', 'gone.txt');
  for (const name of ['unstaged.txt', 'both.txt', 'untracked.txt']) await repo.write(name, 'in the folder\n');
  return statusOf(repo);
}

const statusOf = (repo: CommittingStage['repo']) => repo.git('status', '--porcelain', '--untracked-files=all');
const seesTheDirt = 'grep -q folder untracked.txt && grep -q folder unstaged.txt && grep -q index added.txt && [ ! -e gone.txt ]';

describe.concurrent('files that were dirty before the start', () => {
  it('are there for agent and gates, are in no commit, and stay dirty as they were, staged or not', async () => {
    const agent = turn(bash(`${seesTheDirt} && ${WORK}`), ...ends('Not there yet.'));
    await using stage = await openCommittingStage([agent, names(MESSAGE), goesOn, names('More of it')], { files, gate: `sh check.sh && ${seesTheDirt}` });
    const before = await makeDirt(stage);
    const run = await stage.run('-m', '2');

    expect(run.stderr).toContain('6 files dirty before the start (in no commit of Ralph)');
    expect(stage.subjects()).toEqual(['start', MESSAGE, 'More of it']);
    expect(stage.repo.git('diff', '--name-only', 'HEAD~2', 'HEAD').split('\n')).toEqual(['more.txt', 'work.txt']);
    expect(statusOf(stage.repo)).toBe(before);
    expect(stage.repo.git('show', ':both.txt')).toBe('in the index');
    expect(run.result).toMatchObject({ commits: 2, scm_problem: null });
  });

  it('and that an agent has changed are left out of the commit, and that is said', async () => {
    await using stage = await openCommittingStage([turn(bash(`${WORK}; echo by the agent > unstaged.txt`), ...ends(CLAIM)), names(MESSAGE)], { files });
    await makeDirt(stage);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['work.txt']);
    expect(run.stderr).toContain('Left out of the commit: unstaged.txt: it was dirty before the start, and an agent has changed it since');
    expect(readFileSync(join(stage.repo.path, 'unstaged.txt'), 'utf8')).toBe('by the agent\n');
  });

  it('and that alone an agent has changed make no commit, and that is said', async () => {
    await using stage = await openCommittingStage([turn(bash('echo by the agent > unstaged.txt'), ...ends(CLAIM))], { files, gate: 'true' });
    await makeDirt(stage);
    const run = await stage.run();

    expect(run.result).toMatchObject({ commits: 0, scm_problem: null });
    expect(run.stderr).toContain('Nothing is committed: an agent has changed only what was dirty before the start: unstaged.txt');
  });

  it('are not asked about again and again if an agent has changed nothing else', async () => {
    await using stage = await openCommittingStage([turn(...ends(CLAIM))], { files, gate: 'true' });
    const before = await makeDirt(stage);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 0, scm_problem: null });
    expect(statusOf(stage.repo)).toBe(before);
  });

  it('are committed with --allow-dirty', async () => {
    const agent = turn(bash(`${WORK}; echo by the agent > unstaged.txt`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)], { files });
    await makeDirt(stage);
    const run = await stage.run('-m', '1', '--allow-dirty');

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toContain('unstaged.txt');
    expect(statusOf(stage.repo)).toBe('');
  });
});

describe.concurrent('a claim is proven on what is committed', () => {
  it('so a gate that only a file without a commit makes green does not prove it, and the operator is asked', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { files, gate: 'sh check.sh && sh extra.sh' });
    await stage.repo.write('extra.sh', 'exit 0\n');
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(3);
    expect(run.result).toMatchObject({ done: false, commits: 1, stop_reason: 'held' });
    expect(run.stderr).toMatch(/without files that were dirty before the start: extra\.sh/);
    expect(statusOf(stage.repo)).toBe('?? extra.sh');
  });

  it('and as before with --allow-dirty', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { files, gate: 'sh check.sh && sh extra.sh' });
    await stage.repo.write('extra.sh', 'exit 0\n');
    const run = await stage.run('-m', '1', '--allow-dirty');

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['extra.sh', 'work.txt']);
  });
});
