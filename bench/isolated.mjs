// The cost of an isolated workspace in the os sandbox: the same command with only its own git, and with its own files too, in turn.
// `node bench/isolated.mjs 100000` measures a large work tree instead.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../.cache/inside/src/process/run-process.js';
import { NO_LOGIN } from '../.cache/inside/src/sandbox/agent-login.js';
import { openOsSandbox } from '../.cache/inside/src/sandbox/os/open-os-sandbox.js';
import { openIsolated } from '../.cache/inside/src/workspace/isolated/isolated-around.js';
import { openOwnGits } from '../.cache/inside/src/workspace/own-git/own-git-around.js';
import { inTurn } from './in-turn.mjs';
import { report } from './measure.mjs';

const FILES = Number(process.argv[2] ?? 2_000);
const ROUNDS = FILES > 10_000 ? 5 : 15;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-isolated-')));
const at = (name) => join(folder, name);
mkdirSync(at('home'));
for (let n = 0; n < FILES; n += 1) {
  if (n % 100 === 0) mkdirSync(at(`repo/d${n / 100}`), { recursive: true });
  writeFileSync(at(`repo/d${Math.floor(n / 100)}/f${n}`), `file ${n}\n`.repeat(5));
}
const git = (...words) => execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...words], { cwd: at('repo') });
git('init', '-q');
git('add', '-A');
git('commit', '-qm', 'start');

const env = { PATH: process.env.PATH, HOME: at('home') };
const place = { commonDir: at('repo/.git'), env, onRefused: ({ target }) => console.error(target), keptBelow: 'refs/ralph/kept/bench' };
const wall = await openOsSandbox({
  ...{ home: at('home'), commonDir: place.commonDir, sealed: [], sealedBelow: [], writable: [], readable: [], hidden: [], tracked: [], sockets: [] },
  ...{ login: NO_LOGIN, logins: [], hosts: [], socketPath: at('p.sock'), cacheFolder: at('cache'), upstream: {}, onRefused: place.onRefused },
});
mkdirSync(at('repo/.git/ralph'));
const files = { ...place, root: at('repo'), folder: at('repo/.git/ralph/isolated'), live: [], sealed: [], obeyed: [], warn: () => {} };
const isolated = openIsolated(files);
const shared = await openOwnGits({ ...place, folder: at('repo/.git/ralph/gits') })(wall);
const own = await openOwnGits({ ...place, folder: at('repo/.git/ralph/gits-2'), areCopies: true })(wall, await isolated.around(wall));

const EDITS = 'i=0; while [ $i -lt 10 ]; do echo x >> d$i/f${i}00; i=$((i+1)); done; echo x > new-$$';
const nobody = { watch() {}, forget() {}, reportLeft() {} };
const rest = { stdin: '', stdoutFile: at('said'), stderrFile: 'merged', guardian: nobody, stopWith: 'terminate', maxOutputBytes: 1e9, lingerMs: 0 };
const run = (around, script) => async () => {
  const { leave, ...enclosed } = await around.enclose({ who: 'gate', file: 'sh', args: ['-c', script], cwd: at('repo'), env });
  const hears = { onSpawned() {}, onLine() {}, settled: () => false, marker: `bench-${process.pid}` };
  const ending = await runProcess({ ...rest, ...enclosed, ...hears, idleMs: 0, deadlineMs: 0 }, new AbortController().signal);
  if (ending.code !== 0) throw new Error(JSON.stringify(ending));
  await leave();
};

try {
  const startMs = performance.now();
  await run(own, ':')();
  report(`isolated, ${FILES} files: the first process`, `${(performance.now() - startMs).toFixed(0)} ms`, '', 'all files are copied once');
  const times = await inTurn(ROUNDS, {
    'shared, nothing': run(shared, ':'),
    'own, nothing': run(own, ':'),
    'shared, edits': run(shared, EDITS),
    'own, edits': run(own, EDITS),
  });
  for (const what of ['nothing', 'edits']) {
    const more = times(`own, ${what}`) - times(`shared, ${what}`);
    const ratio = times(`own, ${what}`) / times(`shared, ${what}`);
    report(
      `isolated, ${FILES} files: ${what === 'edits' ? 'ten edits and a new file' : 'no change'}`,
      `+${more.toFixed(0)} ms`,
      `${ratio.toFixed(2)}x`,
      FILES > 10_000 ? `${times(`own, ${what}`).toFixed(0)} ms in all, at most 700 (100,000 files)` : 'at most 80 ms more (2,000 files)',
    );
  }
} finally {
  await isolated[Symbol.asyncDispose]();
  await wall[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
