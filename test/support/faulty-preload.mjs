// Loaded with `node --import <this>?known=FILE`, `?fail=CALL&fail=CALL&code=CODE&hit=FILE` or `?jump=MS` before the built command line. An operation is what Ralph asks of the system: a
// call of node:fs, a process, a git command. A call has a name: the operation, the lines of the built program that asked for it, and how often they have. `known` writes down
// every call; each call that is named by a `fail` fails, which is written to `hit`.
// `jump` moves the wall clock forwards and back again and again.
import processes from 'node:child_process';
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { searchParams } = new URL(import.meta.url);
const [known, hit, code, jump] = ['known', 'hit', 'code', 'jump'].map((name) => searchParams.get(name));
const failing = new Set(searchParams.getAll('fail'));
// What has failed in an earlier process fails no more.
for (const call of hit !== null && fs.existsSync(hit) ? fs.readFileSync(hit, 'utf8').split('\n') : []) failing.delete(call);
const { appendFileSync } = fs;
const { spawn } = processes;
/** How often each place has asked. */
const calls = new Map();
let isNoting = false;

/** How many lines of ours tell one place from another. */
const LINES = 2;

function placeOf(operation) {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const lines = [...(new Error('').stack?.matchAll(/\/dist\/(\S+?:\d+:\d+)/g) ?? [])].map(([, line]) => line);
  Error.stackTraceLimit = before;
  return lines.length === 0 ? null : [operation, ...lines.slice(0, LINES)].join(' ');
}

function fails(operation) {
  const place = isNoting ? null : placeOf(operation);
  if (place === null) return false;
  const nth = (calls.get(place) ?? 0) + 1;
  calls.set(place, nth);
  const call = `${place} #${nth}`;
  if (known !== null) note(known, call);
  if (!failing.delete(call)) return false;
  note(hit, call);
  return true;
}

/** Writing it down is no operation of Ralph. */
function note(file, call) {
  isNoting = true;
  appendFileSync(file, `${call}\n`);
  isNoting = false;
}

const ERRORS = { EIO: [-5, 'i/o error'], ENOSPC: [-28, 'no space left on device'], EMFILE: [-24, 'too many open files'] };

function ioError(syscall, path) {
  const [errno, words] = ERRORS[code] ?? ERRORS.EIO;
  const name = ERRORS[code] === undefined ? 'EIO' : code;
  const where = typeof path === 'string' ? ` '${path}'` : '';
  return Object.assign(new Error(`${name}: ${words}, ${syscall}${where}`), { errno, code: name, syscall, ...(where && { path }) });
}

if (jump !== null) {
  const { now } = Date;
  let asked = 0;
  // Every tenth question finds the clock elsewhere.
  Date.now = () => {
    asked += 1;
    return now() + ([0, 1, -1][Math.floor(asked / 10) % 3] ?? 0) * Number(jump);
  };
}

for (const [name, call] of Object.entries(files)) {
  if (typeof call !== 'function' || name === 'watch') continue;
  files[name] = async (...args) => {
    if (fails(name)) throw ioError(name, args[0]);
    return await call.apply(files, args);
  };
}

const handle = await files.open('/dev/null');
const ofHandles = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['appendFile', 'chmod', 'close', 'datasync', 'read', 'readFile', 'stat', 'sync', 'truncate', 'write', 'writeFile']) {
  const call = ofHandles[name];
  ofHandles[name] = async function (...args) {
    if (!fails(`handle.${name}`)) return await call.apply(this, args);
    // As in the system: a file whose close fails is closed.
    if (name === 'close') await call.apply(this, args);
    throw ioError(name);
  };
}

for (const [name, call] of Object.entries(fs)) {
  if (typeof call !== 'function' || !name.endsWith('Sync')) continue;
  const faulty = (...args) => {
    if (!fails(name)) return call.apply(fs, args);
    if (name === 'closeSync') call.apply(fs, args);
    if (name === 'existsSync') return false;
    throw ioError(name.replace(/Sync$/, ''), args[0]);
  };
  fs[name] = Object.assign(faulty, call);
}

const NO_PROGRAM = '/nonexistent/ralph-test';
const GIT_FAILS = ['-c', 'cat >/dev/null; echo "fatal: unable to write: No space left on device" >&2; exit 128'];

/** What git is asked to do: its first word that is no option. */
function gitCommand(args) {
  let index = 0;
  while (args[index]?.startsWith('-')) index += ['-c', '-C'].includes(args[index]) ? 2 : 1;
  return args[index] ?? '';
}

processes.spawn = (file, args = [], options = {}) => {
  const isGit = /(?:^|\/)git$/.test(file);
  const name = isGit ? `git ${gitCommand(args)}` : `spawn ${file.split('/').at(-1)}`;
  if (isGit && fails(`${name} exits 128:`)) return spawn('/bin/sh', GIT_FAILS, options);
  if (!fails(`${name} cannot start:`)) return spawn(file, args, options);
  const child = spawn(NO_PROGRAM, args, options);
  const emit = child.emit.bind(child);
  const refused = Object.assign(new Error(`spawn ${file} EAGAIN`), { errno: -11, code: 'EAGAIN', syscall: `spawn ${file}`, path: file, spawnargs: args });
  child.emit = (event, ...rest) => emit(event, ...(event === 'error' ? [refused] : rest));
  return child;
};

syncBuiltinESMExports();
