import { expect, it } from 'vitest';
import { changesBetween, textTree } from '../../../test/support/text-tree.ts';
import { basePass } from './base-deciders.ts';
import { lookAtGate } from './look-at-gate.ts';

// 35 ms of CPU time when warm, 90 ms the first time (Node 20). The test measures CPU time, so that a busy machine does not fail it.
it('a tree of 10,000 files is parsed and compared within its time limit', async () => {
  const base: Record<string, string> = { 'package.json': '{"scripts":{"test":"vitest run && eslint . && tsc"}}' };
  for (let at = 0; at < 3_334; at += 1) {
    const folder = `packages/p${at % 40}/src/part-${at % 17}`;
    base[`${folder}/module-${at}.ts`] = `export const value${at} = ${at};\n`;
    base[`${folder}/module-${at}.test.ts`] = `expect(value${at}).toBe(${at});\n`;
    base[`packages/p${at % 40}/docs/page-${at}.md`] = `# ${at}\n`;
  }
  const claimed = Object.fromEntries(Object.entries(base).map(([path, text]) => [path, path.includes('7') ? `${text}// more\n` : text]));
  const changes = changesBetween(base, claimed);
  const before = process.cpuUsage();
  const sight = await lookAtGate('npm test', '', textTree(base));
  const pass = await basePass({ sights: [sight], changes, base: textTree(base), claimed: textTree(claimed), mayChange: () => false });
  const { user } = process.cpuUsage(before);
  expect(sight.tests).toHaveLength(3_334);
  expect(pass.changed.length).toBeGreaterThan(900);
  expect(user / 1000).toBeLessThan(500);
});
