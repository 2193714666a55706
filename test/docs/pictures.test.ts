import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noInput } from '../../src/watch/view/watch-keys.ts';
import { watchScreen } from '../../src/watch/view/watch-screen.ts';
import type { WatchView } from '../../src/watch/view/watched-run.ts';
import { expectPicture, pictureOf } from '../support/screen-picture.ts';
import { projectRoot } from './project-files.ts';

const NOW_MS = 3_600_000;
const NIGHT: WatchView = {
  run_id: '20260115-230412-5f3a9c',
  recipe: 'work',
  standing: 'running',
  is_done: false,
  status: 'running',
  elapsed_ms: NOW_MS,
  progress: { done: 7, total: 12, of: 'tasks' },
  left_ms: 2_520_000,
  cost_usd: 3.18,
  cost_estimated: false,
  cost_per_proven_usd: 0.45,
  workers: [
    { worker: 1, iteration: 9, subject: 'T-9 Search as you type', doing: 'Edit(src/search.ts)', since_ms: NOW_MS - 12_000 },
    { worker: 2, iteration: 10, subject: 'T-10 Share a note', doing: 'checks run', since_ms: NOW_MS - 41_000 },
  ],
  needs: [],
};

function watchText(): string {
  const lines = watchScreen([NIGHT], noInput, { width: 90, height: 12, hide: (text) => text }, NOW_MS);
  return lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n');
}

describe('the pictures of the documentation', () => {
  it('are made of recorded screens', () => {
    expectPicture('demo', pictureOf('What ralph demo prints', readFileSync(join(projectRoot, 'test/fixtures/screens/demo.txt'), 'utf8')));
    expectPicture('watch', pictureOf('ralph watch in a terminal', watchText()));
  });

  it('mission-control is a picture of the page, 1280 wide and small; UPDATE_SCREENS=1 and a-night-is-followed.test.ts make it', () => {
    const picture = readFileSync(join(projectRoot, 'docs/pictures/mission-control.png'));
    expect([picture.subarray(1, 4).toString(), picture.readUInt32BE(16)]).toEqual(['PNG', 1280]);
    expect(picture.length).toBeLessThanOrEqual(200_000);
    for (const page of ['README.md', 'docs/guide/mission-control.md'])
      expect(readFileSync(join(projectRoot, page), 'utf8')).toContain('pictures/mission-control.png)');
  });

  it.each(['demo', 'watch'])('%s is small and needs nothing else', (name) => {
    const picture = readFileSync(join(projectRoot, `docs/pictures/${name}.svg`), 'utf8');
    expect(picture.length).toBeLessThanOrEqual(6_000);
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|<script|<style|@font-face|href/);
  });
});
