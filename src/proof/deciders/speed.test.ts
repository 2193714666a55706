import { expect, it } from 'vitest';
import { changesBetween, textTree } from '../../../test/support/text-tree.ts';
import { basePass } from './base-deciders.ts';
import { lookAtGate } from './look-at-gate.ts';

const base: Record<string, string> = { 'package.json': '{"scripts":{"test":"vitest run && eslint . && tsc"}}' };
for (let at = 0; at < 3_334; at += 1) {
  const folder = `packages/p${at % 40}/src/part-${at % 17}`;
  base[`${folder}/module-${at}.ts`] = `export const value${at} = ${at};\n`;
  base[`${folder}/module-${at}.test.ts`] = `expect(value${at}).toBe(${at});\n`;
  base[`packages/p${at % 40}/docs/page-${at}.md`] = `# ${at}\n`;
}

/** CPU time, so that a busy machine does not fail the test. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1000;
}

// Measured on Node 20: 64 ms the first time, before the compiler has optimised it (143 ms with fifteen busy processes beside it), and 12 ms warm.
it('the deciders of a gate are found among 10,000 files within their time limit', async () => {
  const tree = textTree(base);
  const times: number[] = [];
  for (let at = 0; at < 5; at += 1) times.push(await cpuMs(() => lookAtGate('npm test', '', tree)));
  expect((await lookAtGate('npm test', '', tree)).tests).toHaveLength(3_334);
  expect(times[0]).toBeLessThan(400);
  expect(Math.min(...times)).toBeLessThan(50);
});

// 74 ms.
it('two trees of 10,000 files are compared within their time limit', async () => {
  const claimed = Object.fromEntries(Object.entries(base).map(([path, text]) => [path, path.includes('7') ? `${text}// more\n` : text]));
  const changes = changesBetween(base, claimed);
  const sight = await lookAtGate('npm test', '', textTree(base));
  const pass = await basePass({ sights: [sight], changes, base: textTree(base), claimed: textTree(claimed), mayChange: () => false });
  expect(pass.changed.length).toBeGreaterThan(900);
  const warm = await cpuMs(() => basePass({ sights: [sight], changes, base: textTree(base), claimed: textTree(claimed), mayChange: () => false }));
  expect(warm).toBeLessThan(200);
});
