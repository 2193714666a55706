// The cost of listing the changes, compared with the bare git commands, in the same repository of 50,000 files with 200 changed.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGitCli } from '../.cache/inside/src/workspace/git/git-cli.js';
import { inTurn } from './in-turn.mjs';
import { report } from './measure.mjs';

const FOLDERS = 500;
const FILES = 100;
const CHANGED = 180;
const NEW = 20;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-diff-')));
const repo = join(folder, 'repo');
const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args) => spawnSync('git', args, { cwd: repo, env, maxBuffer: 1 << 30, encoding: 'utf8' }).stdout.trim();

for (let d = 0; d < FOLDERS; d += 1) {
  mkdirSync(join(repo, `p${d % 20}`, `d${d}`), { recursive: true });
  for (let f = 0; f < FILES; f += 1) writeFileSync(join(repo, `p${d % 20}`, `d${d}`, `f${f}.js`), `// ${d} ${f}\n${'const x = 1;\n'.repeat(20)}`);
}
git('init', '-q', '-b', 'main', '.');
git('add', '-A');
git('-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-qm', 'start');
const tree = git('rev-parse', 'HEAD^{tree}');
for (let d = 0; d < CHANGED; d += 1) appendFileSync(join(repo, `p${d % 20}`, `d${d}`, 'f3.js'), 'changed\nand more\n');
for (let n = 0; n < NEW; n += 1) writeFileSync(join(repo, 'p1', `new${n}.js`), 'new\n'.repeat(10));

const cli = await openGitCli(repo, env);
const diffs = await inTurn(9, {
  'git diff': () => void git('diff', tree),
  'git diff, with its --stat': () => {
    git('diff', '--stat', tree);
    git('diff', tree);
  },
  'git add -N, git diff, with its --stat': () => {
    git('add', '-N', '.');
    git('diff', '--stat', tree);
    git('diff', tree);
    return () => void git('reset', '-q');
  },
  changesSince: async () => void (await cli.history.changesSince(tree)),
  'putBack, nothing touched': async () => void (await cli.history.revert(tree, ['tests/**', '*.config.js'], 'refs/ralph/kept/bench')),
});
await cli[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true });

const ms = (value) => `${value.toFixed(0)} ms`;
for (const bare of ['git diff', 'git diff, with its --stat', 'git add -N, git diff, with its --stat']) {
  report(`changes: bare ${bare}`, ms(diffs(bare)), '', '');
  const goal = bare === 'git diff, with its --stat' ? 'at most 1.5x' : '';
  report('changes: ours, new files included', ms(diffs('changesSince')), `${(diffs('changesSince') / diffs(bare)).toFixed(2)}x`, goal);
}
report('protected files: nothing touched', ms(diffs('putBack, nothing touched')), `${(diffs('putBack, nothing touched') / diffs('git diff')).toFixed(2)}x`, '');
