import { expect, it } from 'vitest';
import type { GroundWish, StoryGround } from '../../src/engine/ports/story-ground.ts';

/** A ground whose list is `{"stories":1}`, with the operator's own `ralph/prd.md` and a file `src/a.ts`, all committed. */
export interface GroundWorld extends AsyncDisposable {
  readonly ground: StoryGround;
  /** What is wished when nothing is forbidden but the operator's own files. */
  readonly wish: GroundWish;
  read(path: string): string | null;
  write(path: string, text: string): Promise<void>;
  /** Of the newest commit. */
  subject(): string;
}

const PLAN = 'ralph/tasks.json';

/** What every ground of stories has to do, so that a loop may do it again after a crash. */
export function keepsTheGroundContract(open: () => Promise<GroundWorld>): void {
  it('tells what is there, and the list as it lies', async () => {
    await using world = await open();
    const sight = await world.ground.look();
    expect(sight.dirty).toEqual([]);
    await world.write('src/a.ts', 'more\n');
    expect(await world.ground.look()).toMatchObject({ head: sight.head, dirty: ['src/a.ts'] });
    expect(await world.ground.readPlan()).toEqual({ kind: 'text', text: '{"stories":1}\n' });
  });

  it('commits what an agent has left, once', async () => {
    await using world = await open();
    await world.write('src/a.ts', 'worked\n');
    const settled = await world.ground.settle(world.wish);
    expect(settled).toMatchObject({ leftovers: true, undone: [], kept: null, rewound: null });
    expect([settled.commit, world.subject()]).toEqual([settled.head, world.wish.message]);
    expect(await world.ground.settle(world.wish)).toEqual(settled);
    expect(world.subject()).toBe(world.wish.message);
  });

  it('puts back what is the operator’s, and leaves the work', async () => {
    await using world = await open();
    await world.write('ralph/prd.md', 'easy\n');
    await world.write('src/a.ts', 'worked\n');
    expect(await world.ground.settle(world.wish)).toMatchObject({ undone: ['ralph/prd.md'], kept: world.wish.keptRef });
    expect([world.read('ralph/prd.md'), world.read('src/a.ts')]).toEqual(['what is wanted\n', 'worked\n']);
  });

  it('puts back all that was changed in a review, the list too', async () => {
    await using world = await open();
    await world.write('src/a.ts', 'mended\n');
    await world.write(PLAN, '{"stories":2}\n');
    const { undone } = await world.ground.settle({ ...world.wish, putBack: { kind: 'all-but', paths: [] }, forget: true });
    expect(undone).toContain('src/a.ts');
    expect([world.read('src/a.ts'), world.read(PLAN)]).toEqual(['a\n', '{"stories":1}\n']);
  });

  it('has the list say what it must before anything is committed', async () => {
    await using world = await open();
    await world.write(PLAN, '{"stories":"cheated"}\n');
    const { commit } = await world.ground.settle({ ...world.wish, plan: '{"stories":3}\n' });
    expect(commit).not.toBeNull();
    expect([world.read(PLAN), world.subject()]).toEqual(['{"stories":3}\n', world.wish.planMessage]);
  });

  it('writes the list and commits it, once', async () => {
    await using world = await open();
    const first = await world.ground.recordPlan('{"stories":4}\n', 'ralph: the list');
    expect(first).toMatchObject({ problem: null, commit: first.head });
    expect([world.read(PLAN), world.subject()]).toEqual(['{"stories":4}\n', 'ralph: the list']);
    expect(await world.ground.recordPlan('{"stories":4}\n', 'ralph: the list')).toEqual({ head: first.head, commit: null, problem: null });
  });

  it('adds to progress.txt in the same commit, once', async () => {
    await using world = await open();
    const entry = '\n### Iteration 1\n- reviewed\n';
    const { commit } = await world.ground.recordPlan('{"stories":4}\n', 'review: it', entry);
    expect(world.subject()).toBe('review: it');
    expect(world.read('ralph/progress.txt')).toBe(entry);
    expect(await world.ground.recordPlan('{"stories":4}\n', 'review: it', entry)).toEqual({ head: commit, commit: null, problem: null });
    expect(world.read('ralph/progress.txt')).toBe(entry);
  });
}
