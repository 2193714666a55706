import { describe, expect, it } from 'vitest';
import type { JournalMirror } from '../../src/engine/ports/stores.ts';
import { copyJournal } from '../../src/store/journal-mirror.ts';

export const RUN = '20260101-000000-aaaaaa';
const KIB = 1024;

interface Opened {
  readonly mirror: JournalMirror;
  /** The same one, as another process has it. */
  readonly again: JournalMirror;
}

/** A journal as bytes. The reader of files leaves out the end of a line that is being written; here the test does. */
const journalOf = (text: string) => ({ read: async (_run: string, from: number) => Buffer.from(text).subarray(from, from + 64 * KIB) });
const EMPTY = journalOf('');

async function contentOf(mirror: JournalMirror): Promise<string> {
  const pieces: Buffer[] = [];
  for (let at = 0; ; at += pieces.at(-1)?.length ?? 0) {
    const piece = await mirror.read(RUN, at);
    if (piece.length === 0) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}

/** The contract of every mirror of journals. `open` returns an empty one whose run is at work. */
export function honoursTheMirrorContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name} honours the contract of mirrors`, () => {
    it('is empty at first', async () => {
      const { mirror } = await open();
      expect([await mirror.end(RUN), await contentOf(mirror), await copyJournal(RUN, EMPTY, mirror)]).toEqual([0, '', 0]);
    });

    it('has byte for byte what was copied, however long its lines are, and goes on where it ended', async () => {
      const { mirror, again } = await open();
      const first = `{"a":"ü"}\n${'x'.repeat(150 * KIB)}\n`;
      const whole = `${first}${Array.from({ length: 5_000 }, (_, nth) => `{"nth":${nth},"text":"🎉"}\n`).join('')}`;
      expect(await copyJournal(RUN, journalOf(first), mirror)).toBe(Buffer.byteLength(first));
      expect(await copyJournal(RUN, journalOf(whole), again)).toBe(Buffer.byteLength(whole));
      expect(await contentOf(mirror)).toBe(whole);
    });

    it('takes nothing that leaves a gap or is there already, and says where it ends', async () => {
      const { mirror, again } = await open();
      expect(await mirror.append(RUN, 0, Buffer.from('one\n'))).toBe(4);
      expect(await again.append(RUN, 0, Buffer.from('one\n'))).toBe(4);
      expect(await again.append(RUN, 9, Buffer.from('three\n'))).toBe(4);
      expect(await again.append(RUN, 4, Buffer.from('two\n'))).toBe(8);
      expect(await contentOf(mirror)).toBe('one\ntwo\n');
    });

    it('keeps runs apart', async () => {
      const { mirror } = await open();
      await mirror.append(RUN, 0, Buffer.from('one\n'));
      expect([await mirror.end('another'), await mirror.read('another', 0)]).toEqual([0, Buffer.alloc(0)]);
    });
  });
}
