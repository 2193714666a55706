import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './grammar.mjs';
import { policyOf } from './network.mjs';

const PATH = '/opt/vm-bin:/opt/stand-in-bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const OF_THE_SYSTEM = ['/usr', '/etc', '/nix', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const OURS = fileURLToPath(new URL('vm-bin', import.meta.url));

/**
 * Really runs a command, by bubblewrap: with a file system of the machine's own, and the copies of the workspaces at the paths of the host. It is no wall, and
 * nobody should take it for one: the network is only acted, by a `curl` and an `nc` that ask the policy.
 */
export async function runInside(machines, machine, wish) {
  const place = machines.placeOf(machine.name);
  for (const folder of ['home/agent', 'shm']) mkdirSync(join(place, 'root', folder), { recursive: true });
  mkdirSync(join(machines.folder, 'bin'), { recursive: true });
  writeFileSync(join(place, 'policy.json'), JSON.stringify(policyOf(machines, machine)));
  const home = wish.user === 'root' ? '/root' : '/home/agent';
  const env = { ...wish.env, HOME: home, PATH, USER: wish.user ?? 'agent' };
  const args = [
    ...[
      '--bind',
      join(place, 'root'),
      '/',
      ...system(join(place, 'root')),
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--bind',
      join(place, 'root/shm'),
      '/dev/shm',
      '--dir',
      '/root',
      '--dir',
      '/run',
    ],
    ...[
      '--ro-bind',
      join(machines.folder, 'bin'),
      '/opt/vm-bin',
      '--ro-bind',
      OURS,
      '/opt/stand-in-bin',
      '--ro-bind',
      join(place, 'policy.json'),
      '/run/policy.json',
    ],
    ...machine.workspaces.flatMap((path, index) => ['--bind', machines.treeOf(machine.name, index), path]),
    ...machine.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...['--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])],
    ...['--chdir', wish.cwd ?? machine.workspaces[0], '--', ...wish.command],
  ];
  // Like the real ones: to end the client does not end what it has started.
  const child = spawn('bwrap', args, {
    stdio: [wish.stdin ? 'inherit' : 'ignore', 1, wish.mergesStderr ? 1 : 2],
    env: { PATH: process.env['PATH'] },
    detached: true,
  });
  return await new Promise((resolve) => {
    child.on('error', () => resolve(125));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGTERM' ? 143 : 137)));
  });
}

/** The programs of this computer, and node wherever it lies. */
function system(root) {
  for (const path of OF_THE_SYSTEM.filter((each) => isLink(each) && !isLink(join(root, each)))) symlinkSync(readlinkSync(path), join(root, path));
  const node = process.execPath.startsWith('/usr/') ? [] : [process.execPath];
  const bound = [...OF_THE_SYSTEM.filter((path) => existsSync(path) && !isLink(path)), ...node];
  return bound.flatMap((path) => ['--ro-bind', path, path]);
}

const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** As Docker reads it: the lines as they are. */
export function readEnvFile(path) {
  if (!existsSync(path)) throw new Refusal(`open ${path}: no such file or directory`);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
