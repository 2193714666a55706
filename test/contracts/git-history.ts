import { expect, it } from 'vitest';
import type { GitHistory } from '../../src/engine/ports/git.ts';

/** A repository whose first commit contains `src/a.txt`, `tests/a.txt` and `tests/deep/b.txt`, each with its own name as its text, and a clean working copy. */
export interface HistoryWorld extends AsyncDisposable {
  readonly history: GitHistory;
  /** Saves the current working copy as a tree and returns its name. */
  look(): Promise<string>;
  /** Null if there is no such file. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Commits everything. */
  commit(): Promise<string>;
  /** The content of a file in a commit, a ref or a tree. */
  show(name: string, path: string): Promise<string | null>;
  /** Reads a file in a folder elsewhere. */
  readIn(folder: string, path: string): Promise<string | null>;
}

const KEPT = 'refs/ralph/kept/a-run/1.1';

/** The contract of every adapter of the history port. */
export function keepsTheHistoryContract(open: () => Promise<HistoryWorld>): void {
  it('reports nothing if nothing has changed', async () => {
    await using world = await open();
    expect(await world.history.changesSince(await world.look())).toEqual({ stat: '', patch: '', isWhole: true });
  });

  it('reports the changes since a tree, including new and committed files', async () => {
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

  it('reports nothing for an unknown tree', async () => {
    await using world = await open();
    expect(await world.history.changesSince('0123456789012345678901234567890123456789')).toBeNull();
  });

  it('reverts edited, deleted and created files, and nothing else', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    await world.remove('tests/deep/b.txt');
    await world.write('tests/new/c.txt', 'c\n');
    await world.write('src/a.txt', 'worked\n');
    expect(await world.history.revert(start, ['tests/**'], KEPT)).toEqual(['tests/a.txt', 'tests/deep/b.txt', 'tests/new/c.txt']);
    expect(await world.read('tests/a.txt')).toBe('tests/a.txt\n');
    expect(await world.read('tests/deep/b.txt')).toBe('tests/deep/b.txt\n');
    expect(await world.read('tests/new/c.txt')).toBeNull();
    expect(await world.read('src/a.txt')).toBe('worked\n');
  });

  it('saves everything before it reverts anything', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    await world.write('src/new.txt', 'worked\n');
    await world.history.revert(start, ['tests'], KEPT);
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('cheated\n');
    expect(await world.show(KEPT, 'src/new.txt')).toBe('worked\n');
  });

  it('finds nothing to revert the second time, and saves nothing', async () => {
    await using world = await open();
    const start = await world.look();
    expect(await world.history.revert(start, ['tests'], KEPT)).toEqual([]);
    expect(await world.show(KEPT, 'tests/a.txt')).toBeNull();
    await world.write('tests/a.txt', 'cheated\n');
    await world.history.revert(start, ['tests'], KEPT);
    expect(await world.history.revert(start, ['tests'], KEPT)).toEqual([]);
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('cheated\n');
  });

  it('keeps what was saved under the same name before', async () => {
    await using world = await open();
    const start = await world.look();
    for (const text of ['first\n', 'second\n']) {
      await world.write('tests/a.txt', text);
      await world.history.revert(start, ['tests'], KEPT);
    }
    expect(await world.show(KEPT, 'tests/a.txt')).toBe('second\n');
    expect(await world.show(`${KEPT}^2`, 'tests/a.txt')).toBe('first\n');
  });

  it('reverts committed files and keeps the commit', async () => {
    await using world = await open();
    const start = await world.look();
    await world.write('tests/a.txt', 'cheated\n');
    const commit = await world.commit();
    expect(await world.history.revert(start, ['tests/a.txt'], KEPT)).toEqual(['tests/a.txt']);
    expect(await world.read('tests/a.txt')).toBe('tests/a.txt\n');
    expect(await world.show(commit, 'tests/a.txt')).toBe('cheated\n');
    expect(await world.show('HEAD', 'tests/a.txt')).toBe('cheated\n');
  });

  it('checks a tree out elsewhere, without later changes of the working copy', async () => {
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

  it('lists the files of a tree and returns their bytes', async () => {
    await using world = await open();
    await world.write('src/ä b.txt', 'eins\n');
    const files = await world.history.filesIn(await world.look());
    const file = files.get('src/ä b.txt');
    expect(file?.mode).toBe('100644');
    expect(Buffer.from(await world.history.bytesOf(file?.id ?? '')).toString()).toBe('eins\n');
    const all = await world.history.bytesOfAll([file?.id ?? '', '0'.repeat(40), file?.id ?? '']);
    expect([...all].map(([id, bytes]) => [id, Buffer.from(bytes).toString()])).toContainEqual([file?.id, 'eins\n']);
    expect(files.has('nowhere.txt')).toBe(false);
  });

  it('returns the latest note unchanged', async () => {
    await using world = await open();
    const commit = await world.commit();
    expect(await world.history.readNote(commit)).toBeNull();
    const text = '\n\n# grün, „bewiesen“ 🟢  \n\n\n\ttab\n';
    for (const each of ['{"first": 1}\n', '', text]) {
      await world.history.writeNote(commit, each);
      expect(await world.history.readNote(commit)).toBe(each);
    }
  });

  it('has no note for an unknown commit, and writes none', async () => {
    await using world = await open();
    const none = '0123456789012345678901234567890123456789';
    expect(await world.history.readNote(none)).toBeNull();
    await expect(world.history.writeNote(none, 'x')).rejects.toThrow(/no commit/);
  });
}
