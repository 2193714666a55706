import { expect, it } from 'vitest';
import type { GitHistory } from '../../src/engine/ports/git.ts';

/** A repository whose first commit holds `src/a.txt`, `tests/a.txt` and `tests/deep/b.txt`, each with its own name as its text, and a clean working copy. */
export interface HistoryWorld extends AsyncDisposable {
  readonly history: GitHistory;
  /** Names the working copy as it is now, for good. */
  look(): Promise<string>;
  /** Null: there is no such file. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Somebody commits all there is. */
  commit(): Promise<string>;
  /** What a file is in whatever the name names: a commit, a ref, a tree. */
  show(name: string, path: string): Promise<string | null>;
  /** Reads a file in a folder elsewhere. */
  readIn(folder: string, path: string): Promise<string | null>;
}

const KEPT = 'refs/ralph/kept/a-run/1.1';

/** What every adapter of the history port has to do. */
export function keepsTheHistoryContract(open: () => Promise<HistoryWorld>): void {
  it('tells nothing where nothing has changed', async () => {
    await using world = await open();
    expect(await world.history.changesSince(await world.look())).toEqual({ stat: '', patch: '', isWhole: true });
  });

  it('tells what has changed since a tree, new files and committed ones included', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('src/a.txt', 'committed\n');
    await world.commit();
    await world.write('new.txt', 'new\n');
    await world.remove('tests/a.txt');
    const changes = await world.history.changesSince(start);
    expect(changes?.isWhole).toBe(true);
    for (const name of ['src/a.txt', 'new.txt', 'tests/a.txt', '3 files changed']) expect(changes?.stat).toContain(name);
    for (const line of ['+committed', '+new', '-tests/a.txt']) expect(changes?.patch).toContain(`\n${line}\n`);
  });

  it('tells nothing of a tree nobody knows', async () => {
    await using world = await open();
    expect(await world.history.changesSince('0123456789012345678901234567890123456789')).toBeNull();
  });

  it('puts back what was edited, deleted and created, and nothing else', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    await world.remove('tests/deep/b.txt');
    await world.write('tests/new/c.txt', 'c\n');
    await world.write('src/a.txt', 'worked\n');
    expect(await world.history.putBack(start, ['tests/**'], KEPT)).toEqual(['tests/a.txt', 'tests/deep/b.txt', 'tests/new/c.txt']);
    expect(await world.read('tests/a.txt')).toBe('tests/a.txt\n');
    expect(await world.read('tests/deep/b.txt')).toBe('tests/deep/b.txt\n');
    expect(await world.read('tests/new/c.txt')).toBeNull();
    expect(await world.read('src/a.txt')).toBe('worked\n');
  });

  it('keeps all there was before it puts anything back', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    await world.write('src/new.txt', 'worked\n');
    await world.history.putBack(start, ['tests'], KEPT);
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('cheated\n');
    expect(await world.show(KEPT, 'src/new.txt')).toBe('worked\n');
  });

  it('finds nothing to put back the second time, and keeps nothing for it', async () => {
    await using world = await open();
    const start = await world.look();
    expect(await world.history.putBack(start, ['tests'], KEPT)).toEqual([]);
    expect(await world.show(KEPT, 'tests/a.txt')).toBeNull();
    await world.write('tests/a.txt', 'cheated\n');
    await world.history.putBack(start, ['tests'], KEPT);
    expect(await world.history.putBack(start, ['tests'], KEPT)).toEqual([]);
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('cheated\n');
  });

  it('loses nothing that was kept under the same name before', async () => {
    await using world = await open();
    const start = await world.look();
    for (const text of ['first\n', 'second\n']) {
      await world.write('tests/a.txt', text);
      await world.history.putBack(start, ['tests'], KEPT);
    }
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('second\n');
    expect(await world.show(`${KEPT}^2`, 'tests/a.txt')).toBe('first\n');
  });

  it('puts files back that were committed, and leaves the commit', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    const commit = await world.commit();
    expect(await world.history.putBack(start, ['tests/a.txt'], KEPT)).toEqual(['tests/a.txt']);
    expect(await world.read('tests/a.txt')).toBe('tests/a.txt\n');
    expect(await world.show(commit, 'tests/a.txt')).toBe('cheated\n');
    expect(await world.show('HEAD', 'tests/a.txt')).toBe('cheated\n');
  });

  it('checks a tree out elsewhere, without anything that was added to the working copy since', async () => {
    await using world = await open();
    await world.write('src/a.txt', 'proven\n');
    const tree = await world.look();
    await world.write('stray.txt', 's\n');
    const checkout = await world.history.checkOut(tree);
    expect(await world.readIn(checkout.path, 'src/a.txt')).toBe('proven\n');
    expect(await world.readIn(checkout.path, 'stray.txt')).toBeNull();
    await checkout[Symbol.asyncDispose]();
    expect(await world.readIn(checkout.path, 'src/a.txt')).toBeNull();
    expect(await world.read('stray.txt')).toBe('s\n');
  });

  it('lists the files of a tree, and gives their bytes', async () => {
    await using world = await open();
    await world.write('src/ä b.txt', 'eins\n');
    const files = await world.history.filesIn(await world.look());
    const file = files.get('src/ä b.txt');
    expect(file?.mode).toBe('100644');
    expect(Buffer.from(await world.history.bytesOf(file?.id ?? '')).toString()).toBe('eins\n');
    expect(files.has('nowhere.txt')).toBe(false);
  });

  it('gives back a note to the letter, and the latest one', async () => {
    await using world = await open();
    const commit = await world.commit();
    expect(await world.history.readNote(commit)).toBeNull();
    const text = '\n\n# grün, „bewiesen“ 🟢  \n\n\n\ttab\n';
    for (const each of ['{"first": 1}\n', '', text]) {
      await world.history.writeNote(commit, each);
      expect(await world.history.readNote(commit)).toBe(each);
    }
  });

  it('knows no note of a commit nobody made, and writes none', async () => {
    await using world = await open();
    const none = '0123456789012345678901234567890123456789';
    expect(await world.history.readNote(none)).toBeNull();
    await expect(world.history.writeNote(none, 'x')).rejects.toThrow(/no commit/);
  });
}
