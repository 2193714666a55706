import { expect, it } from 'vitest';
import type { SettleStoriesRequest, StoryWorkspace } from '../../src/engine/ports/story-workspace.ts';

/** A ground whose list is `{"stories":1}`, with the operator's own `ralph/prd.md` and a file `src/a.ts`, all committed. */
export interface GroundWorld extends AsyncDisposable {
  readonly ground: StoryWorkspace;
  /** The request if only the operator's own files are forbidden. */
  readonly wish: SettleStoriesRequest;
  read(path: string): string | null;
  write(path: string, text: string): Promise<void>;
  /** The files of the newest commit. */
  subject(): string;
}

const PLAN = 'ralph/tasks.json';

/** The contract of every story ground. Each operation can be repeated after a crash. */
export function keepsTheGroundContract(open: () => Promise<GroundWorld>): void {
  it('returns the files and the current list', async () => {
    await using world = await open();
    const sight = await world.ground.look();
    expect(sight.dirty).toEqual([]);
    await world.write('src/a.ts', 'more\n');
    expect(await world.ground.look()).toMatchObject({ head: sight.head, dirty: ['src/a.ts'] });
    expect(await world.ground.readPlan()).toEqual({ kind: 'text', text: '{"stories":1}\n' });
  });

  it('commits the files of an agent once', async () => {
    await using world = await open();
    await world.write('src/a.ts', 'worked\n');
    const settled = await world.ground.settle(world.wish);
    expect(settled).toMatchObject({ leftovers: true, reverted: [], kept: null, rewound: null });
    expect([settled.commit, world.subject()]).toEqual([settled.head, world.wish.message]);
    expect(await world.ground.settle(world.wish)).toEqual(settled);
    expect(world.subject()).toBe(world.wish.message);
  });

  it('reverts the operator’s files and keeps the work', async () => {
    await using world = await open();
    await world.write('ralph/prd.md', 'easy\n');
    await world.write('src/a.ts', 'worked\n');
    expect(await world.ground.settle(world.wish)).toMatchObject({ reverted: ['ralph/prd.md'], kept: world.wish.keptRef });
    expect([world.read('ralph/prd.md'), world.read('src/a.ts')]).toEqual(['what is wanted\n', 'worked\n']);
  });

  it('reverts all changes of a review, also of the list', async () => {
    await using world = await open();
    await world.write('src/a.ts', 'mended\n');
    await world.write(PLAN, '{"stories":2}\n');
    const { reverted } = await world.ground.settle({ ...world.wish, revert: { kind: 'all-but', paths: [] }, forget: true });
    expect(reverted).toContain('src/a.ts');
    expect([world.read('src/a.ts'), world.read(PLAN)]).toEqual(['a\n', '{"stories":1}\n']);
  });

  it('writes the required list before anything is committed', async () => {
    await using world = await open();
    await world.write(PLAN, '{"stories":"cheated"}\n');
    const { commit } = await world.ground.settle({ ...world.wish, plan: '{"stories":3}\n' });
    expect(commit).not.toBeNull();
    expect([world.read(PLAN), world.subject()]).toEqual(['{"stories":3}\n', world.wish.planMessage]);
  });

  it('writes the list and commits it once', async () => {
    await using world = await open();
    const first = await world.ground.recordPlan('{"stories":4}\n', 'ralph: the list');
    expect(first).toMatchObject({ problem: null, commit: first.head, tree: (await world.ground.look()).tree });
    expect([world.read(PLAN), world.subject()]).toEqual(['{"stories":4}\n', 'ralph: the list']);
    expect(await world.ground.recordPlan('{"stories":4}\n', 'ralph: the list')).toEqual({ ...first, commit: null });
  });

  it('appends to progress.txt once, in the same commit', async () => {
    await using world = await open();
    const entry = '\n### Iteration 1\n- reviewed\n';
    const first = await world.ground.recordPlan('{"stories":4}\n', 'review: it', entry);
    expect(world.subject()).toBe('review: it');
    expect(world.read('ralph/progress.txt')).toBe(entry);
    expect(await world.ground.recordPlan('{"stories":4}\n', 'review: it', entry)).toEqual({ ...first, commit: null });
    expect(world.read('ralph/progress.txt')).toBe(entry);
  });
}
