import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { HARM } from '../../support/git-harm.ts';
import { giveTo, openTemporary, users } from '../../support/ordinary-user.ts';
import { CLI } from '../../support/ralph.ts';
import { runBinary } from '../../support/run-binary.ts';
import { planOf, story } from '../../support/stories-stage.ts';
import { planText } from '../../support/work-stage.ts';

const AUTHOR = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'a@b.c' };

interface Wishes {
  readonly before: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: object;
}

/** A repository of that user, in a home of that user. */
function placeIn(base: string, { before, files, settings = {} }: Wishes) {
  const [home, cwd] = [join(base, 'home'), join(base, 'home/project')];
  mkdirSync(home);
  for (const [name, text] of Object.entries({ '.ralph/settings.json': JSON.stringify(settings), 'readme.txt': 'hello\n', ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
    if (text.startsWith('#!')) chmodSync(join(cwd, name), 0o755);
  }
  giveTo(before, base);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...AUTHOR };
  const asWho = (words: readonly string[]) => [...before, ...words] as unknown as readonly [string, ...string[]];
  const run = (...words: readonly string[]) => {
    const [file, ...args] = asWho(words);
    return execFileSync(file, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  };
  const git = (...words: readonly string[]) => run('git', ...words);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return {
    ...{ cwd, git, run },
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    async ralph(...more: readonly string[]) {
      const [file, ...args] = asWho([process.execPath, CLI, ...more, '--agent', 'sh agent.sh', '--sandbox=os']);
      return await runBinary({ file, args, cwd, env, stdin: '', withinMs: 60_000 });
    },
  };
}

const RUN = ['run', '-p', 'Do it.', '-m', '1'];

/** All of it in one process, and what a git outside would obey later. */
const HARMFUL = [
  'mkdir -p app && (cd app && git init -q && git config core.fsmonitor "touch ../escaped; :")',
  'mkfifo pipe; ln -s /etc/passwd link',
  ...Object.values(HARM),
]
  .map((each) => `(${each})`)
  .join('\n');

describe.skipIf(bubblewrapIsMissing()).each(users())('an agent of %s', (_who, before) => {
  it('does no harm to the repository and the files around it, whatever it tries', async () => {
    await using temporary = await openTemporary();
    const place = placeIn(temporary.path, { before, files: { 'agent.sh': `${HARMFUL}\necho made > made.txt\necho DONE\n` } });
    place.git('branch', 'other');
    place.git('tag', 'v1');
    const state = () => [place.git('for-each-ref', 'refs/heads', 'refs/tags'), place.read('.git/config'), place.read('.git/HEAD')];
    const was = state();
    const { code, stderr } = await place.ralph(...RUN, '--guardrail', 'test -s made.txt');
    expect(code, stderr).toBe(0);
    expect(state()).toEqual(was);
    expect(place.read('made.txt')).toBe('made\n');
    expect(place.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(['app/.git', 'pipe'].map((name) => existsSync(join(place.cwd, name)))).toEqual([false, false]);
    place.run('sh', '-c', 'cd app 2>/dev/null; git status');
    expect(existsSync(join(place.cwd, 'escaped'))).toBe(false);
    // Without Ralph the same script does harm.
    place.run('sh', '-c', 'sh agent.sh; true');
    expect(existsSync(join(place.cwd, 'pipe'))).toBe(true);
    expect(() => state()).toThrow();
  });

  it.each([
    ['husky', '.husky', ['config', 'core.hooksPath', '.husky']],
    ['plain', 'hooks', ['config', 'core.hooksPath', '.git/hooks']],
  ])('has its work committed with a %s hook that adds a file, and the hook cannot write outside', async (kind, folder, settings) => {
    await using temporary = await openTemporary();
    const hook = '#!/bin/sh\nwc -l < work.txt > lines.txt\ngit add lines.txt\necho x > "$HOME/by-hook" || true\n';
    const place = placeIn(temporary.path, {
      before,
      files: { 'agent.sh': '[ -e work.txt ] || echo work > work.txt\necho DONE\n', [`${folder}/pre-commit`]: hook },
      settings: { scm: { command: 'git', tasks: ['commit -m x'] } },
    });
    place.git(...settings);
    if (kind === 'plain') place.run('sh', '-c', 'mkdir -p .git/hooks; cp -p hooks/pre-commit .git/hooks/pre-commit');
    const { code, stderr } = await place.ralph(...RUN, '--guardrail', 'test -s work.txt');
    expect(code, stderr).toBe(0);
    expect(place.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['lines.txt', 'work.txt']);
    expect(place.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(dirname(place.cwd), 'by-hook'))).toBe(false);
  });
});

/** A turn on a story, which says what is wanted: in the list that it is implemented, and as its last word that it is approved. */
const TURN = `node -e '
const fs = require("node:fs");
const list = JSON.parse(fs.readFileSync("ralph/tasks.json", "utf8"));
const [one] = list.userStories;
if (one.reviewStatus === null) fs.writeFileSync("ralph/tasks.json", JSON.stringify({ ...list, userStories: [{ ...one, reviewStatus: "needs_review", notes: "Wrote it." }] }));
else console.log(JSON.stringify({ decision: "approved", feedback: "", notes: "" }));
'`;

describe.skipIf(bubblewrapIsMissing()).each(users().slice(-1))('an agent of %s does no harm to the branches, tags and settings', (_who, before) => {
  it.each([
    ['in ralph loop', ['loop', 'Do it.', '--max-iterations', '1', '--check', 'test -s made.txt'], 'echo COMPLETE', {}],
    [
      'in ralph work on a graph',
      ['work', '--pause', '0s', '--check', 'test -s made.txt'],
      `sed -i 's/pending/complete/' task-graph.yaml`,
      { 'task-graph.yaml': planText(['one']) },
    ],
    [
      'in ralph work on stories',
      ['work'],
      TURN,
      { 'ralph/tasks.json': planOf([story('US-001')]), 'ralph/prd.md': '# What\n', 'ralph/progress.txt': '', '.gitignore': '.ralph-active\n' },
    ],
  ])('%s', async (what, words, ends, files: Readonly<Record<string, string>>) => {
    await using temporary = await openTemporary();
    const place = placeIn(temporary.path, { before, files: { ...files, 'agent.sh': `${HARMFUL}\n[ -e made.txt ] || echo made > made.txt\n${ends}\n` } });
    place.git('branch', 'other');
    place.git('tag', 'v1');
    if (what.endsWith('stories')) place.git('switch', '-q', '-c', 'ralph/demo');
    const state = () => [place.git('for-each-ref', 'refs/heads/other', 'refs/tags'), place.read('.git/config'), place.read('.git/HEAD')];
    const was = state();
    const { code, stderr } = await place.ralph(...words);
    expect(code, stderr).toBe(0);
    expect([state(), place.read('made.txt')]).toEqual([was, 'made\n']);
    expect(place.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(['app/.git', 'pipe'].map((name) => existsSync(join(place.cwd, name)))).toEqual([false, false]);
    place.run('sh', '-c', 'cd app 2>/dev/null; git status');
    expect(existsSync(join(place.cwd, 'escaped'))).toBe(false);
  });
});
