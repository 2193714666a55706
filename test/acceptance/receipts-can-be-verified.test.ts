import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bash, ends, turn } from '../support/claude-script.ts';
import { deepRows } from '../support/deep.ts';
import { receiptFrom } from '../support/receipt-from.ts';
import { type EndedRun, openStage, type Props, type Stage, WORK } from '../support/stage.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const CHECK = 'sh check.sh';
const done = turn(bash(WORK), ...ends('COMPLETE'));
const AUTHOR = { 'user.name': 't', 'user.email': 't@example.com' };

async function stageWith(props: Props = {}): Promise<Stage> {
  const stage = await openStage([done], props);
  for (const [key, value] of Object.entries(AUTHOR)) stage.repo.git('config', key, value);
  return stage;
}

const loop = async (stage: Stage, ...more: readonly string[]): Promise<EndedRun> => {
  const run = await stage.ralph('loop', 'Do the work.', '--agent', 'claude', '--check', CHECK, '--json', ...more);
  expect(run.code, run.stderr).toBe(0);
  return run;
};

/** Leaves no git worktree and no process. */
const isClean = (stage: Stage) => ({ worktrees: stage.repo.git('worktree', 'list').split('\n').length, processes: stage.after().processes });
const CLEAN = { worktrees: 1, processes: [] };

describe('a commit of a loop', () => {
  it('is verified by its note, in a fresh checkout that is removed afterwards', async () => {
    await using stage = await stageWith();
    const { result } = await loop(stage, '--commit');
    const head = stage.repo.git('rev-parse', 'HEAD');
    const { code, stdout, stderr } = await stage.ralph('verify');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Receipt of commit ${head}: run ${result?.run_id}, `);
    expect(stdout).toMatch(/^ {2}\[OK\] {3}sh check\.sh {2}\(exit 0, \S+, was red before the run\)$/m);
    expect(stdout).toMatch(/\nVerified: 1 check green in a fresh checkout, as recorded\.\n$/);
    expect(isClean(stage)).toEqual(CLEAN);
  });

  it('is verified by any name of the commit, also after later commits', async () => {
    await using stage = await stageWith();
    await loop(stage, '--worktree');
    const branch = stage.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');
    expect((await stage.ralph('verify', branch)).code).toBe(0);
    const { code, stderr } = await stage.ralph('verify', 'main');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: commit [0-9a-f]{40} has no receipt\nhint: .*ralph verify --run/);
  });

  it('is verified in the folder of its checks, from anywhere in the repository', async () => {
    await using stage = await stageWith({ where: 'inside', files: { 'inside/check.sh': 'grep -qs done work.txt\n' } });
    for (const where of ['--worktree', '--commit']) await loop(stage, where);
    const names = stage.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/').split('\n');
    expect(names).toHaveLength(2);
    for (const name of names) expect(await stage.ralphIn(stage.repo.path, 'verify', name)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is verified with its witness too', async () => {
    await using stage = await stageWith();
    await loop(stage, '--commit', '--witness', 'test -e work.txt');
    const { code, stdout } = await stage.ralph('verify');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\[OK\] {3}test -e work\.txt {2}\(exit 0, \S+, was red before the run\)/);
  });

  it('is verified as JSON for scripts', async () => {
    await using stage = await stageWith();
    await loop(stage, '--commit');
    const { code, stdout, stderr } = await stage.ralph('verify', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      of: `commit ${stage.repo.git('rev-parse', 'HEAD')}`,
      as_recorded: true,
      problem: null,
      receipt: { version: 1, tree: stage.repo.git('rev-parse', 'HEAD^{tree}'), agent: expect.stringContaining('claude') as string },
      checks: [{ command: CHECK, recorded_exit_code: 0, exit_code: 0, as_recorded: true, same_output: true, was_red: true }],
    });
  });
});

describe('a run without a commit', () => {
  it('is verified by its id or its last characters, even if the workspace has changed', async () => {
    await using stage = await stageWith();
    const { result } = await loop(stage);
    await rm(join(stage.repo.path, 'work.txt'));
    const { code, stdout } = await stage.ralph('verify', '--run', result?.run_id.slice(-6) ?? '');
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`Receipt of run ${result?.run_id}: `);
    expect(isClean(stage)).toEqual(CLEAN);
  });

  it('that failed has nothing to verify', async () => {
    await using stage = await stageWith();
    const { result } = await stage.ralph('loop', 'Do the work.', '--agent', 'claude', '--check', 'false', '--max-iterations', '1', '--json');
    const { code, stderr } = await stage.ralph('verify', '--run', result?.run_id ?? '');
    expect(code).toBe(2);
    expect(stderr).toContain(`error: run ${result?.run_id} has no receipt\n`);
  });
});

describe('a difference', () => {
  it('is reported: a check that is red now', async () => {
    await using stage = await stageWith();
    const flag = join(stage.repo.beside, 'flag');
    await writeFile(flag, '');
    await loop(stage, '--commit', '--check', `cat ${flag}`);
    await rm(flag);
    const { code, stdout } = await stage.ralph('verify');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\[OK\] {3}sh check\.sh/);
    expect(stdout).toMatch(/\[FAIL\] cat .*flag {2}\(exit 1, recorded exit 0, .*prints something else\)\n {9}cat: .*No such file/);
    expect(stdout).toMatch(/\nNot as recorded: 1 of 2 checks\.\n$/);
    const json = await stage.ralph('verify', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ as_recorded: false, checks: [{ as_recorded: true }, { as_recorded: false, exit_code: 1 }] });
  });

  it('is reported: work that needs files outside of git', async () => {
    await using stage = await stageWith({ files: { '.gitignore': 'stray.txt\n' } });
    await stage.repo.write('stray.txt', 'mine\n');
    await loop(stage, '--commit', '--check', 'test -e stray.txt');
    const { code, stdout } = await stage.ralph('verify');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\[FAIL\] test -e stray\.txt/);
  });

  it('in the output alone is not an error', async () => {
    await using stage = await stageWith();
    await loop(stage, '--commit', '--check', 'date +%N');
    const { code, stdout } = await stage.ralph('verify');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\[OK\] {3}date \+%N {2}\(exit 0, .*prints something else\)/);
  });

  it('is reported: a check that no longer ends', async () => {
    await using stage = await stageWith();
    const flag = join(stage.repo.beside, 'flag');
    await writeFile(flag, '');
    await loop(stage, '--commit', '--check', `test -e ${flag} || sleep 600`);
    await rm(flag);
    const { code, stdout } = await stage.ralph('verify', '--check-timeout', '1s');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\[FAIL\] .*sleep 600 {2}\(stopped by Ralph: timed out, recorded exit 0/);
    expect(isClean(stage)).toEqual(CLEAN);
  });
});

describe('a receipt that does not count', () => {
  let stage: Stage;
  let head = '';
  let receipt: Record<string, unknown> = {};
  beforeAll(async () => {
    stage = await stageWith();
    await loop(stage, '--commit');
    head = stage.repo.git('rev-parse', 'HEAD');
    receipt = { ...receiptFrom(stage.repo.git('notes', '--ref=ralph', 'show')) };
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const note = (commit: string, text: string) => {
    stage.repo.git('update-ref', '-d', 'refs/notes/ralph');
    stage.repo.git('notes', '--ref=ralph', 'add', '-m', text, commit);
  };
  const problemOf = async (commit: string) => {
    const { code, stdout, stderr } = await stage.ralph('verify', commit);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [, problem = stderr] = /^error: the receipt of commit [0-9a-f]{40} does not count: (.*)\n$/.exec(stderr) ?? [];
    return problem;
  };
  const red = (checks: unknown) => (checks as object[]).map((check) => ({ ...check, exit_code: 1 }));

  const wrong: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['no loop has written', () => 'looks good to me', /^it is not JSON that a loop has written$/],
    ['is of another version', () => ({ ...receipt, version: 2 }), /^it is of version 2, which this ralph does not know$/],
    ['is only half there', () => ({ version: 1, run: 'x' }), /^\w+ is not as a loop writes it$/],
    ['is about another tree', () => ({ ...receipt, tree: 'a'.repeat(40) }), /^it is about the tree a{40}, and the commit holds [0-9a-f]{40}$/],
    ['is about no tree', () => ({ ...receipt, tree: null }), /^it is about no tree$/],
    ['has no checks', () => ({ ...receipt, checks: [] }), /^it has no check, so it proves nothing$/],
    ['was red', () => ({ ...receipt, checks: red(receipt['checks']) }), /^by its own words this was not green: sh check\.sh$/],
  ];
  it.each(deepRows('each is refused by one function, before anything is run', wrong, 4))('%s', async (_, made, problem) => {
    const text = made();
    note(head, typeof text === 'string' ? text : JSON.stringify(text));
    expect(await problemOf(head)).toMatch(problem);
    const { code, stdout } = await stage.ralph('verify', head, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ as_recorded: false, problem: expect.stringMatching(problem) as string, checks: [] });
  });

  it('belongs to a commit with other files', async () => {
    await stage.repo.write('more.txt', 'unproven\n');
    stage.repo.git('add', 'more.txt');
    stage.repo.git('commit', '--quiet', '-m', 'more');
    note('HEAD', JSON.stringify(receipt));
    expect(await problemOf('HEAD')).toMatch(/^it is about the tree [0-9a-f]{40}, and the commit holds [0-9a-f]{40}$/);
  });

  it('is valid for the same files with another commit message', async () => {
    stage.repo.git('reset', '--quiet', '--hard', head);
    stage.repo.git('commit', '--quiet', '--amend', '-m', 'in my own words');
    note('HEAD', JSON.stringify(receipt));
    expect((await stage.ralph('verify')).code).toBe(0);
  });
});

describe('a verification that is interrupted', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  it.each(deepRows('the signals differ in their exit code only', signals, 1))('by %s leaves neither a checkout nor a process', async (signal, exitCode) => {
    await using stage = await stageWith();
    const flag = join(stage.repo.beside, 'flag');
    const began = join(stage.repo.beside, 'began');
    await writeFile(flag, '');
    await loop(stage, '--commit', '--check', `test -e ${flag} || { touch ${began}; sleep 600; }`);
    await rm(flag);
    const verifying = stage.begin('verify');
    await stage.made('began');
    verifying.child.kill(signal);
    const { code, stderr } = await verifying.ended;
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: 'Interrupted; nothing is left running, and nothing was verified.\n' });
    expect(isClean(stage)).toEqual(CLEAN);
  });
});

describe('a verification that is impossible', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await stageWith();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each<[readonly string[], number, RegExp]>([
    [['nowhere'], 2, /^error: nowhere names no commit here\nhint: /],
    [['--run', 'nobody'], 2, /^error: there is no run "nobody" here\n/],
    [['HEAD', '--run', 'x'], 2, /^error: cannot specify both a commit and --run\n/],
    [['--check-timeout', 'soon'], 2, /^error: --check-timeout must be a duration/],
  ])('%j is refused', async (args, exitCode, message) => {
    const { code, stderr } = await stage.ralph('verify', ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(message);
  });

  it('outside of a repository is refused', async () => {
    await using nowhere = await openThrowAwayFolder();
    const { code, stderr } = await stage.ralphIn(nowhere.path, 'verify');
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: this is not a git repository\nhint: /);
  });
});
