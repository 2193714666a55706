import { expect, it } from 'vitest';
import { commandAt } from './command-at.ts';

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
