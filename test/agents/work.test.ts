import { describe, expect, it } from 'vitest';
import { deep, deepRows } from '../support/deep.ts';
import { eventsOf } from '../support/loop-stage.ts';
import { run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { CHAIN, DIAMOND, openWorkAgent, type WorkAgent, worksOn, writes } from '../support/work-agent.ts';

const agents = expectRealAgents();

const DONE_IN_CHAIN = ['T-1.1', 'T-2.1', 'T-3.1'];
const DONE_IN_DIAMOND = ['T-1.1', 'T-2.1', 'T-1.1', 'T-3.1', 'T-4.1'];

/** All that a plan which is done leaves: merges on the branch, the plan with them, and nothing else. */
function expectAllMerged({ repo, statuses }: WorkAgent, tasks: readonly string[]): void {
  const merges = repo.git('log', '--first-parent', '--format=%s').split('\n').slice(0, -1);
  expect(merges.toSorted()).toEqual(tasks.map((task) => `Merge task ${task}: Write ${task}.txt`));
  expect(statuses()).toEqual(Object.fromEntries(tasks.map((task) => [task, 'complete'])));
  expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
}

describe.skipIf(agents.missing)('a plan that the real claude works on', () => {
  const shapes = [
    { what: 'a chain', workers: '1', needs: CHAIN, last: DONE_IN_CHAIN },
    { what: 'a chain', workers: '2', needs: CHAIN, last: DONE_IN_CHAIN },
    { what: 'a diamond', workers: '1', needs: DIAMOND, last: DONE_IN_DIAMOND },
  ];
  it.each(deepRows('other shapes of a plan are held with scripted agents', shapes, 1))(
    'is done: $what, workers: $workers',
    async ({ workers, needs, last }) => {
      await using crew = await openWorkAgent(agents, { name: 'claude', needs });
      const tasks = Object.keys(needs);
      const ended = await crew.work('--workers', workers);

      expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({
        code: 0,
        result: { stop_reason: 'completed', done: true, unproven: false, iterations: tasks.length, attempts: tasks.length, tool_errors: 0 },
      });
      expect(ended.result?.work?.tasks).toMatchObject({ done: tasks.length, not_completed: 0, failed: 0, unproven: 0, conflicts: 0, held: 0 });
      // Each begins with what those before it have merged.
      expect(crew.merged(`${tasks.at(-1)}.txt`).split('\n')).toEqual(last);
      expectAllMerged(crew, tasks);
      // What it ran as it was told has reached the loop itself.
      expect(crew.agents().map(({ prompt }) => /^2\. Run `(.*?)`/m.exec(prompt)?.[1])).toEqual(tasks.map((task) => `ralph task complete ${task}`));
      expect(eventsOf(ended, 'task.claimed')).toMatchObject(tasks.map((task) => ({ task, n: 1 })));
    },
  );

  deep('several workers are held with scripted agents', () => {
    it('is done by two workers at once if the plan allows that', async () => {
      // Neither of the two goes on before the other has begun.
      const meets = (task: string, other: string) =>
        worksOn(task, ['T-1'], `: >../../beside/${task} && until [ -e ../../beside/${other} ]; do sleep 0.05; done`);
      const parts = { 'T-2': [meets('T-2', 'T-3')], 'T-3': [meets('T-3', 'T-2')] };
      await using crew = await openWorkAgent(agents, { name: 'claude', needs: DIAMOND, parts });
      const ended = await crew.work('--workers', '2');

      expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 4, attempts: 4 } });
      expect(crew.merged('T-4.txt').split('\n')).toEqual(DONE_IN_DIAMOND);
      expectAllMerged(crew, Object.keys(DIAMOND));
    });
  });
});

describe.skipIf(agents.missing)('the real codex, whose sandbox blocks git and the socket,', () => {
  it('can still claim completion in the plan of its worktree, and its loop commits for it', async () => {
    const commits = (task: string, needs: readonly string[]) => run(`${writes(task, needs)} && git add -A && git commit -qm mine`);
    const completes = (task: string, needs: readonly string[]) => [commits(task, needs), run(`ralph task complete ${task}`), say('Done.')];
    const edits = run('sed -i \'/"T-3"/s/"pending"/"complete"/\' task-graph.yaml');
    const parts = {
      'T-1': [completes('T-1', [])],
      'T-2': [completes('T-2', ['T-1'])],
      // One that would rather not ask at all.
      'T-3': [[commits('T-3', ['T-2']), edits, say('Done.')]],
    };
    await using crew = await openWorkAgent(agents, { name: 'codex', needs: CHAIN, parts });
    const ended = await crew.work();

    const said = crew.toolResults();
    expect(ended, `${ended.stderr}\n${said}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, iterations: 3, attempts: 3 } });
    expect(said.match(/^fatal: .*Read-only file system$/gm)).toHaveLength(3);
    expect(said).not.toContain('error: ');
    expect(said.match(/^✓ T-[12] is noted as complete$/gm)).toHaveLength(2);
    expect(eventsOf(ended, 'task.claimed')).toEqual([]);
    expect(crew.merged('T-3.txt').split('\n')).toEqual(DONE_IN_CHAIN);
    // The loop's word for it, not the agent's edit.
    expect(crew.repo.git('diff', '--name-only', 'main^1', 'main^2')).toBe('T-3.txt');
    expectAllMerged(crew, Object.keys(CHAIN));
  });

  deep('a door for codex is one setting of its own', () => {
    it('may get access to the socket', async () => {
      const parts = { 'T-1': [[run(`${writes('T-1')}; ralph task complete T-1`), say('Done.')]] };
      const settings = { agent: { flags: ['-c', 'sandbox_workspace_write.network_access=true'] } };
      await using crew = await openWorkAgent(agents, { name: 'codex', needs: { 'T-1': [] }, parts, settings });
      const ended = await crew.work();

      expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
      expect(eventsOf(ended, 'task.claimed')).toMatchObject([{ task: 'T-1', n: 1 }]);
    });
  });
});
