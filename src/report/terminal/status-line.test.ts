import { describe, expect, it } from 'vitest';
import { CLEAR_LINE, openStatusLine } from './status-line.ts';

/** A terminal that shows its last line. */
function openFake() {
  let now = '';
  let ready = true;
  const writes: string[] = [];
  const line = openStatusLine({ write: (text) => writes.push(text), isReady: () => ready, text: () => now });
  return {
    line,
    writes,
    shows(text: string) {
      now = text;
    },
    reads(isReading: boolean) {
      ready = isReading;
    },
  };
}

describe('the status line', () => {
  it('is cleared before every other line, and stays below it', () => {
    const { line, writes, shows } = openFake();
    shows('works · 1s');
    line.refresh();
    line.write('a line\n');
    shows('works · 2s');
    line.write('another\nand one more\n');
    line.close();
    expect(writes).toEqual([`${CLEAR_LINE}works · 1s`, `${CLEAR_LINE}a line\nworks · 1s`, `${CLEAR_LINE}another\nand one more\nworks · 2s`, CLEAR_LINE]);
  });

  it('is written only when it has changed', () => {
    const { line, writes, shows } = openFake();
    shows('same');
    line.refresh();
    line.refresh();
    expect(writes).toHaveLength(1);
    line.close();
  });

  it('leaves no trace when it is empty', () => {
    const { line, writes } = openFake();
    line.refresh();
    line.write('a line\n');
    line.close();
    expect(writes).toEqual(['a line\n']);
  });

  it('disappears when there is nothing more to show', () => {
    const { line, writes, shows } = openFake();
    shows('works');
    line.refresh();
    shows('');
    line.refresh();
    line.write('the end\n');
    line.close();
    expect(writes).toEqual([`${CLEAR_LINE}works`, CLEAR_LINE, 'the end\n']);
  });

  it('waits for a slow reader, but other lines do not', () => {
    const { line, writes, shows, reads } = openFake();
    reads(false);
    shows('works');
    line.refresh();
    expect(writes).toEqual([]);
    line.write('a line\n');
    expect(writes).toEqual(['a line\nworks']);
    line.close();
  });

  it('is refreshed as time goes by', async () => {
    const { line, writes, shows } = openFake();
    shows('works');
    await expect.poll(() => writes, { timeout: 20_000 }).toEqual([`${CLEAR_LINE}works`]);
    line.close();
  });
});
