import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Where the stand-in keeps its machines. Each has a copy of every workspace, and one idea of what was last in step with the host. */
export function openMachines(folder) {
  const vms = join(folder, 'vms');
  mkdirSync(vms, { recursive: true });
  const placeOf = (name) => join(vms, name);
  const fileOf = (name) => join(placeOf(name), 'machine.json');
  return {
    folder,
    placeOf,
    treeOf: (name, index) => join(placeOf(name), 'trees', String(index)),
    all: () =>
      readdirSync(vms)
        .filter((name) => existsSync(fileOf(name)))
        .map((name) => readJson(fileOf(name))),
    find: (name) => (existsSync(fileOf(name)) ? readJson(fileOf(name)) : null),
    save(machine) {
      mkdirSync(join(placeOf(machine.name), 'root'), { recursive: true });
      writeJson(fileOf(machine.name), machine);
    },
    remove: (name) => rmSync(placeOf(name), { recursive: true, force: true }),
    record: (call) => appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify(call)}\n`),
    switches: () => readJson(join(folder, 'switches.json'), {}),
    setSwitch: (name, value) => writeJson(join(folder, 'switches.json'), { ...readJson(join(folder, 'switches.json'), {}), [name]: value }),
    globalPolicy: () => readJson(join(folder, 'policy.json'), null),
    setGlobalPolicy: (policy) => writeJson(join(folder, 'policy.json'), policy),
  };
}

/** A start takes a new picture of all files of the host. */
export function startMachine(machines, machine) {
  for (const [index, host] of machine.workspaces.entries()) {
    const tree = machines.treeOf(machine.name, index);
    rmSync(tree, { recursive: true, force: true });
    cpSync(host, tree, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    writeJson(`${tree}.base.json`, picture(tree));
  }
  machines.save({ ...machine, status: 'running' });
}

/** THE TRAP, host to machine: only files that the machine never had come in, and only after a while. An overwritten or removed one is never noticed. */
export function bringNewFiles(machines, machine, newFileMs) {
  for (const [index, host] of machine.workspaces.entries()) {
    const tree = machines.treeOf(machine.name, index);
    const base = readJson(`${tree}.base.json`, {});
    for (const path of Object.keys(picture(host))) {
      const isKnown = path in base || existsSync(join(tree, path));
      if (isKnown || Date.now() - lstatSync(join(host, path)).ctimeMs < newFileMs) continue;
      copyEntry(join(host, path), join(tree, path));
      base[path] = markOf(join(tree, path));
    }
    writeJson(`${tree}.base.json`, base);
  }
}

/** Machine to host: what was changed inside since the last time. It wins over whatever the host has there. */
export async function syncOut(machines, name) {
  const unlock = await lock(join(machines.placeOf(name), 'sync.lock'));
  try {
    const machine = machines.find(name);
    if (machine?.status !== 'running') return;
    for (const [index, host] of machine.workspaces.entries()) syncTree(machines.treeOf(name, index), host);
  } finally {
    unlock();
  }
}

/** Whether nothing was changed inside since the last time. */
export function isInStep(machines, name) {
  const trees = machines.find(name)?.workspaces.map((_, index) => machines.treeOf(name, index)) ?? [];
  return trees.every((tree) => isDeepStrictEqual(picture(tree), readJson(`${tree}.base.json`, {})));
}

function syncTree(tree, host) {
  const base = readJson(`${tree}.base.json`, {});
  const now = picture(tree);
  for (const [path, mark] of Object.entries(now)) {
    if (base[path] !== mark && markOf(join(host, path)) !== mark) copyEntry(join(tree, path), join(host, path));
  }
  for (const path of Object.keys(base)) if (!(path in now)) rmSync(join(host, path), { force: true, recursive: true });
  writeJson(`${tree}.base.json`, now);
}

function picture(top) {
  const found = {};
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found[path] = markOf(join(top, path));
    }
  }
  return found;
}

/** Null where there is nothing, or nothing that is synced. */
function markOf(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return `link:${readlinkSync(path)}`;
  if (!found?.isFile()) return null;
  return `${(found.mode & 0o100) === 0 ? 'file' : 'program'}:${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
}

function copyEntry(from, to) {
  const found = lstatSync(from);
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true, recursive: true });
  if (found.isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
  copyFileSync(from, to);
  chmodSync(to, found.mode & 0o777);
}

export function readJson(path, otherwise) {
  if (otherwise !== undefined && !existsSync(path)) return otherwise;
  return JSON.parse(readFileSync(path, 'utf8'));
}

export function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(value));
  renameSync(`${path}.${process.pid}`, path);
}

async function lock(path) {
  for (;;) {
    try {
      mkdirSync(path);
      return () => rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') return () => undefined;
      await sleep(20);
    }
  }
}
