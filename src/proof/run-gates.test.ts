import { expect, it } from 'vitest';
import { testSettings } from '../../test/support/run-settings.ts';
import type { CommandRequest } from '../engine/ports/command.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { RunGates } from '../journal/effects/effect.ts';
import { lastCodePoints } from '../kit/pure/text.ts';
import { commandAt, runGateOnce } from './run-gates.ts';

const there = (command: string) => commandAt(command, '/home/me/proj', '/tmp/copy/proj');

it.each([
  ['cd /home/me/proj && npm test', 'cd /tmp/copy/proj && npm test'],
  ['node --test "/home/me/proj/test/a.test.js"', 'node --test "/tmp/copy/proj/test/a.test.js"'],
  ['DIR=/home/me/proj:/usr make -C /home/me/proj', 'DIR=/tmp/copy/proj:/usr make -C /tmp/copy/proj'],
])('commandAt makes the command use the copy: %s', (command, meant) => {
  expect(there(command)).toBe(meant);
});

it.each(['/home/me/proj2/check.sh', '/mnt/home/me/proj/check.sh', '/home/me/proj-tools/check', 'npm test'])(
  'commandAt leaves other paths unchanged: %s',
  (command) => {
    expect(there(command)).toBe(command);
  },
);

it('commandAt leaves a command unchanged if the path of the copy would need quotes', () => {
  expect(commandAt('cd /repo', '/repo', '/tmp/my folder/repo')).toBe('cd /repo');
});

it('the tests of all runners in a long output are counted, and a prompt still gets only its end', async () => {
  const said = `# tests 3\n# skipped 0\n${'x'.repeat(50_000)}\n# tests 4\n# skipped 0\n`;
  const run = async ({ keepChars }: CommandRequest) => {
    const output = lastCodePoints(said, keepChars);
    return { ending: { kind: 'exited', code: 0 }, output, outputBytes: said.length, outputSha256: '', durationMs: 1 };
  };
  const settings = { ...testSettings(), recipe: 'loop', outputTruncateChars: 100, proof: { level: 'living', mayChange: [] } };
  const ports = { command: { run }, settings, place: { workspace: '/w' }, clock: { nowMs: () => 0 } } as unknown as Ports;
  const effect = { until: null } as RunGates;
  const [gate] = settings.gates;
  if (gate === undefined) throw new Error('There is no gate.');
  const result = await runGateOnce({ gate, effect, cwd: '/w', logName: 'a.log', marker: 'm', folder: '/logs' }, ports, new AbortController().signal);
  expect(result.tests).toBe(7);
  expect(result.output).toBe(lastCodePoints(said, 101));
});
