import { describe, expect, it } from 'vitest';
import { whyNotShown } from './matches.ts';

const printed = '\nRun 7: done\n\ntook 3s\nfolder /x/7\n';

describe('comparing what is shown with what was printed', () => {
  it.each([
    [['Run 7: done', '', 'took 3s', 'folder /x/7']],
    [['Run …: done', '', 'took …', 'folder …']],
    [['…', 'took 3s', '…']],
    [['Run 7: done', '…']],
    [['…']],
  ])('accepts %j', (shown) => {
    expect(whyNotShown(shown, printed)).toBeNull();
  });

  it.each([
    [['Run 7: done', 'took 3s', 'folder /x/7'], 'not printed here: took 3s'],
    [['…', 'took 4s', '…'], 'not printed: took 4s'],
    [['Run 7: done', '', 'took 3s'], 'printed and not shown'],
    [['…', 'took 3s', 'Run 7: done', '…'], 'not printed here: Run 7'],
    [['Run .: done', '…'], 'not printed here: Run .'],
  ])('refuses %j', (shown, why) => {
    expect(whyNotShown(shown, printed)).toContain(why);
  });
});
