import { expect, it } from 'vitest';
import type { CommitRequest, GitPort, TreeLook } from '../../src/engine/ports/git.ts';

/** A repository with one commit and a clean working copy. */
export interface GitWorld extends AsyncDisposable {
  readonly git: GitPort;
  /** Changes the working copy to a new state. */
  change(): Promise<void>;
  /** Somebody else commits what is there. */
  commitByHand(): Promise<void>;
  /** Where a log may be written. */
  readonly logFile: string;
}

/** The contract of every adapter of the git port, and of every fake. */
export function keepsTheGitContract(open: () => Promise<GitWorld>): void {
  const look = async ({ git }: GitWorld): Promise<TreeLook & { tree: string }> => {
    const sight = await git.look();
    if (!sight?.tree) throw new Error('the working copy has no name');
    return { ...sight, tree: sight.tree };
  };
  const wish = ({ head, tree }: TreeLook & { tree: string }, { logFile }: GitWorld, over: Partial<CommitRequest> = {}): CommitRequest => ({
    git: ['git'],
    flags: [],
    parent: head,
    message: 'Do the work',
    tree,
    treeAfter: tree,
    marker: `contract/${process.pid}`,
    logFile,
    timeoutMs: 60_000,
    ...over,
  });
  const never = new AbortController().signal;

  it('gives an unchanged working copy the same name, which is that of its commit', async () => {
    await using world = await open();
    const sight = await look(world);
    expect(await look(world)).toEqual(sight);
    expect(sight.tree).toBe(sight.headTree);
    expect(await world.git.tree()).toBe(sight.tree);
  });

  it('gives a changed working copy another name', async () => {
    await using world = await open();
    const before = await look(world);
    await world.change();
    const after = await look(world);
    expect(after.tree).not.toBe(before.tree);
    expect(after.head).toBe(before.head);
  });

  it('commits the checked tree, after which there is nothing left to commit', async () => {
    await using world = await open();
    await world.change();
    const sight = await look(world);
    const answer = await world.git.commit(wish(sight, world), never);
    expect(answer).toMatchObject({ kind: 'made', tree: sight.tree });
    const after = await look(world);
    expect(after).toMatchObject({ tree: sight.tree, headTree: sight.tree });
    expect(after.head).toBe(answer.kind === 'made' ? answer.commit : '');
  });

  it('commits nothing if the working copy has changed since the check', async () => {
    await using world = await open();
    await world.change();
    const sight = await look(world);
    await world.change();
    expect(await world.git.commit(wish(sight, world), never)).toMatchObject({ kind: 'changed' });
    expect((await look(world)).head).toBe(sight.head);
  });

  it('commits the checked tree if only the gates have changed it since', async () => {
    await using world = await open();
    await world.change();
    const sight = await look(world);
    await world.change();
    const left = await look(world);
    expect(await world.git.commit(wish(sight, world, { treeAfter: left.tree }), never)).toMatchObject({ kind: 'made', tree: sight.tree });
    expect(await look(world)).toMatchObject({ tree: left.tree, headTree: sight.tree });
  });

  it('commits nothing if somebody else has committed since', async () => {
    await using world = await open();
    await world.change();
    const sight = await look(world);
    await world.commitByHand();
    expect(await world.git.commit(wish(sight, world), never)).toMatchObject({ kind: 'changed' });
  });

  it('finds the commit it made, also behind later ones, and no other', async () => {
    await using world = await open();
    await world.change();
    const wanted = wish(await look(world), world);
    expect(await world.git.findCommit(wanted)).toBeNull();
    const answer = await world.git.commit(wanted, never);
    await world.change();
    await world.commitByHand();
    expect(await world.git.findCommit(wanted)).toMatchObject({ commit: answer.kind === 'made' ? answer.commit : '', tree: wanted.tree });
  });
}
