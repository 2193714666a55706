import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGitPlace } from '../support/place.ts';
import { refused } from '../support/refused.ts';

it('ralph report and ralph stats tell from a subfolder what runs have proven, and what not', async () => {
  await using place = await openGitPlace();
  expect(await refused(place, ['report'])).toMatchObject({ code: expect.any(Number), error: expect.stringContaining('run') });
  await place.write('below/agent.sh', 'cat > /dev/null; echo "<script>work</script>" >> work.txt; echo DONE\n');
  const run = (guardrail: string) => place.ralph(['run', '-p', 'Work.', '--agent', 'sh below/agent.sh', '--guardrail', guardrail, '-m', '1', '--json']);
  const cwd = join(place.path, 'below');

  const good = await run('test -e work.txt');
  const report = await place.ralph(['report', '--json'], { cwd });
  expect(report.code).toBe(0);
  expect(JSON.parse(report.stdout)).toMatchObject({
    run_id: good.result?.run_id,
    done: true,
    totals: { proven: 1, not_proven: 0, iterations: 1 },
    questions: [],
  });

  const bad = await run('cat work.txt; false');
  const page = await place.ralph(['report', '--html', 'page.html'], { cwd });
  expect(page).toMatchObject({ code: 0, stdout: '' });
  const html = await readFile(join(cwd, 'page.html'), 'utf8');
  expect(html).toContain(`${bad.result?.run_id}`);
  expect(html).not.toContain('<script');
  expect((await place.ralph(['report', `${good.result?.run_id}`], { cwd })).stdout).toContain('## Proven (1)');

  const stats = await place.ralph(['stats', '--json'], { cwd });
  expect(stats.code).toBe(0);
  expect(JSON.parse(stats.stdout)).toMatchObject({ agents: [{ agent: 'sh below/agent.sh', runs: 2, iterations: 2, proven: 1 }] });
});
