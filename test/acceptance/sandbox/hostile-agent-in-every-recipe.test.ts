import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { PROJECT, TASK } from '../../support/hostile-place.ts';
import { type HostileProps, type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';
import { planOf, story } from '../../support/stories-stage.ts';
import { planText } from '../../support/work-stage.ts';

const SAVES = 'git add -A && git commit -qm "work of it"';
const CLAIMS = `sed -i '/{id: one,/s/status: [a-z-]*/status: complete/' task-graph.yaml`;
/** Says what is wanted: in the list that it is implemented, and as its last word that it is approved. */
const TURN = `const fs = require('node:fs');
const list = JSON.parse(fs.readFileSync('ralph/tasks.json', 'utf8'));
const [one] = list.userStories;
if (one.reviewStatus === null) {
  Object.assign(one, { reviewStatus: 'needs_review', notes: 'Wrote it.' });
  fs.writeFileSync('ralph/tasks.json', JSON.stringify(list, null, 2) + '\\n');
} else console.log(JSON.stringify({ decision: 'approved', feedback: '', notes: '' }));
`;

async function openWith(work: string, props: HostileProps = {}, writes: Readonly<Record<string, string>> = {}): Promise<HostileStage> {
  const stage = await openHostileStage(props);
  await stage.tell({ work, writes: { ...stage.place.writes, ...writes } });
  return stage;
}

/** Nothing got through, and nobody came. */
async function expectNothing(stage: HostileStage, where = stage.repo.path): Promise<void> {
  expect(await stage.through(where)).toEqual([]);
  expect(stage.visits()).toBe(0);
}

const supervised = (word: string, ...more: readonly string[]) => [word, '--project', PROJECT, '--task', TASK, '--json', '--sandbox=os', ...more];

describe.skipIf(bubblewrapIsMissing())('in the os sandbox an agent gets through with nothing', () => {
  it('in ralph loop, in a worktree', async () => {
    await using stage = await openWith(SAVES, {}, { 'point its worktree elsewhere': '.git' });
    const main = join(stage.repo.path, 'check.sh');
    await stage.tell({ writes: { ...stage.place.writes, 'write in the main checkout': main } });
    const words = ['loop', 'Do it.', ...stage.agent, '--agent-kind', 'claude', '--check', 'sh check.sh', '--max-iterations', '1', '--worktree', '--json'];
    const { code, stderr, result } = await stage.ralph(...words, '--sandbox=os');
    const root = `${stage.repo.path}.ralph`;
    expect(readdirSync(root), stderr).toHaveLength(1);
    await expectNothing(stage, join(root, readdirSync(root)[0] ?? ''));
    expect(code, stderr).toBe(0);
    expect(result?.sandbox.mode).toBe('os');
  });

  it('in ralph work on a graph', async () => {
    await using stage = await openWith(`${SAVES}; ${CLAIMS}`, { files: { 'task-graph.yaml': planText(['one']) } });
    await stage.tell({ writes: { ...stage.place.writes, 'write in the main checkout': join(stage.repo.path, 'by-worker.txt') } });
    const { code, stderr, result } = await stage.ralph('work', ...stage.agent, '--pause', '0s', '--json', '--sandbox=os');
    await expectNothing(stage);
    expect(code, stderr).toBe(0);
    expect(result?.sandbox.mode).toBe('os');
  });

  it('in ralph work on stories', async () => {
    const files = { 'ralph/tasks.json': planOf([story('US-001')], { verifyCommands: ['sh check.sh'] }), 'ralph/prd.md': '# What\n', 'turn.cjs': TURN };
    const ignored = '.ralph-active\n*-env.txt\n*-read.txt\n';
    await using stage = await openWith('node turn.cjs', { files: { ...files, 'ralph/progress.txt': '', '.gitignore': ignored } });
    stage.repo.git('switch', '-q', '-c', 'ralph/demo');
    const { code, stderr, result } = await stage.ralph('work', ...stage.agent, '--json', '--sandbox=os');
    await expectNothing(stage);
    expect(code, stderr).toBe(0);
    expect(result?.sandbox.mode).toBe('os');
  });

  it.each(['supervise', 'job'])('in ralph %s', async (word) => {
    await using stage = await openWith(': >"$TASK_FOLDER/DONE"');
    const done = join(stage.repo.path, `.ralph/tasks/${PROJECT}/another/DONE`);
    await stage.tell({ writes: { ...stage.place.writes, 'say that another task is done': done } });
    const more = word === 'job' ? [] : ['--max-restarts', '1', '--restart-delay', '0'];
    const { code, stderr, result } = await stage.ralph(...supervised(word, ...more, '--check', 'sh check.sh', ...stage.command));
    await expectNothing(stage);
    expect(code, stderr).toBe(0);
    expect(result?.sandbox.mode).toBe('os');
  });
});
