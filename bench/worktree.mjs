// The cost of setting up a worktree, or a fresh checkout for the checks, compared with a bare `git worktree add`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGitCli } from '../.cache/inside/src/workspace/git/git-cli.js';
import { inTurn } from './in-turn.mjs';
import { report } from './measure.mjs';

const FOLDERS = 50;
const FILES = 60;
const ROUNDS = 9;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-worktree-')));
const repo = join(folder, 'repo');
const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args) => spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' }).stdout.trim();

for (let d = 0; d < FOLDERS; d += 1) {
  mkdirSync(join(repo, `d${d}`), { recursive: true });
  for (let f = 0; f < FILES; f += 1) writeFileSync(join(repo, `d${d}`, `f${f}.js`), `// ${d} ${f}\n${'const x = 1;\n'.repeat(20)}`);
}
git('init', '-q', '-b', 'main', '.');
git('add', '-A');
git('-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-qm', 'start');
const tree = git('rev-parse', 'HEAD^{tree}');

const cli = await openGitCli(repo, env);
let made = 0;
const fresh = () => join(folder, `worktree-${++made}`);
const removed = (path) => () => void git('worktree', 'remove', '--force', path);
const adds = await inTurn(ROUNDS, {
  'git worktree add': () => {
    const path = fresh();
    git('worktree', 'add', '-q', '-b', `b${made}`, path, 'HEAD');
    return removed(path);
  },
  'worktrees.add': async () => removed((await cli.worktrees.add({ path: fresh(), branch: `b${made}` })).path),
  'history.checkOut': async () => {
    const checkout = await cli.history.checkOut(tree);
    return () => checkout[Symbol.asyncDispose]();
  },
});
await cli[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true });

const bare = adds('git worktree add');
report('worktree: bare git worktree add, 3,000 files', `${bare.toFixed(0)} ms`, '', '');
for (const ours of ['worktrees.add', 'history.checkOut'])
  report(`worktree: ours, ${ours}`, `${adds(ours).toFixed(0)} ms`, `${(adds(ours) / bare).toFixed(2)}x`, 'at most 1.2x');
