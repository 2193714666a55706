import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { eventsOf, finishes, honest, type LoopStage, openLoopStage } from '../../support/loop-stage.ts';
import { iterationsOf } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const TEST = 'test "$(cat work.txt)" = done\n';
const PACKAGE = '{ "scripts": { "test": "sh tests/work.sh" } }\n';
const files = { 'tests/work.sh': TEST, 'package.json': PACKAGE, 'run-tests.sh': '$(sed -n \'s/.*"test": "\\(.*\\)".*/\\1/p\' package.json)\n' };
const PROTECT = ['--protect', 'tests/**', '--protect', 'package.json', '--protect', 'run-tests.sh'];

/** What an agent does to turn the check green without work, and the path that shows it. */
const CHEATS = [
  ['edits the test', 'echo true > tests/work.sh', 'tests/work.sh'],
  ['deletes the test and makes another', 'rm -r tests; mkdir tests; touch tests/work.sh', 'tests/work.sh'],
  ['renames the test and writes another with its name', 'mv tests/work.sh tests/old.sh; touch tests/work.sh', 'tests/old.sh'],
  ['moves the whole folder away', 'mv tests old; mkdir tests; touch tests/work.sh', 'tests/work.sh'],
  ["edits package.json's test script", 'echo \'{ "scripts": { "test": "true" } }\' > package.json', 'package.json'],
  ['edits the check itself', 'echo exit 0 > run-tests.sh', 'run-tests.sh'],
  ['puts a link in the place of the check', 'ln -sf /dev/null run-tests.sh', 'run-tests.sh'],
  ['puts a link in the place of the folder', 'mv tests ../beside/tests; echo true > ../beside/tests/work.sh; ln -s ../beside/tests tests', 'tests/work.sh'],
  ['commits the change', 'echo true > tests/work.sh; git add -A; git commit -qm "All tests pass"', 'tests/work.sh'],
  ['hides the file from git', 'git update-index --assume-unchanged tests/work.sh; echo true > tests/work.sh', 'tests/work.sh'],
  [
    'has git show another tree in the place of the first',
    'echo true > tests/work.sh; git add -A; tree=$(git write-tree); git reset -q; git replace "HEAD^{tree}" "$tree"',
    'tests/work.sh',
  ],
  ['has a folder ignored', 'echo tests > .gitignore; git rm -rq --cached tests; echo true > tests/work.sh', 'tests/work.sh'],
] as const;

const stageOf = (cheat: string) => openLoopStage([finishes(cheat), honest], { files, gate: 'sh run-tests.sh' });
const at = ({ repo }: LoopStage, file: string) => join(repo.path, file);

describe.concurrent('an agent that', () => {
  it.for(deepRows('that a cheat works where nothing holds it proves the table below', CHEATS, 2))(
    '%s wins where nothing is protected and nothing is proven',
    async ([, cheat]) => {
      await using stage = await stageOf(cheat);
      expect(await stage.loop('--no-baseline', '--proof', 'off')).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
    },
  );

  it.for(deepRows('what decides is found by a pure function, with tests of its own', CHEATS, 3))('%s is not believed by default', async ([, cheat]) => {
    await using stage = await stageOf(cheat);
    const run = await stage.loop('--no-baseline', '--max-iterations', '1');
    expect(run.result, run.stderr).toMatchObject({ done: false });
    expect(['held', 'dead_gate', 'max_iterations']).toContain(run.result?.['stop_reason']);
  });

  it.for(deepRows('what is put back is tested where git is called', CHEATS, 4))('%s loses where it is, and the next one is told', async ([, cheat, path]) => {
    await using stage = await stageOf(cheat);
    const run = await stage.loop(...PROTECT, '--no-baseline');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    const [restored] = eventsOf(run, 'paths.restored');
    expect(restored?.['paths']).toContain(path);
    expect(run.stderr).toContain(path);
    expect(stage.prompts()[1]).toMatch(/You changed what is protected, and it was put back: .*\. Leave these paths alone/);
    expect(stage.prompts()[1]).toContain(path);
    for (const [file, text] of Object.entries(files)) expect(readFileSync(at(stage, file), 'utf8')).toBe(text);
    expect(lstatSync(at(stage, 'run-tests.sh')).isFile() && lstatSync(at(stage, 'tests')).isDirectory()).toBe(true);
  });
});

describe.concurrent('a reverted protected path', () => {
  it('is kept under a ref as the agent left it, together with the rest of its work', async () => {
    await using stage = await openLoopStage([finishes('echo true > tests/work.sh; echo half > work.txt'), honest], { files, gate: 'sh run-tests.sh' });
    const run = await stage.loop(...PROTECT);
    const kept = String(eventsOf(run, 'paths.restored')[0]?.['kept']);

    expect(kept).toBe(`refs/ralph/kept/${run.result?.run_id}/1.1`);
    expect(stage.repo.git('show', `${kept}:tests/work.sh`)).toBe('true');
    expect(stage.repo.git('show', `${kept}:work.txt`)).toBe('half');
    expect(eventsOf(run, 'paths.restored')[1]).toMatchObject({ paths: [], kept: null });
  });

  it('may be a changed file mode, or a new file that matches a pattern', async () => {
    const cheat = 'chmod +x tests/work.sh; echo exit 0 > tests/conftest.sh; echo done > work.txt';
    await using stage = await openLoopStage([finishes(cheat), honest], { files, gate: 'sh run-tests.sh' });
    const run = await stage.loop(...PROTECT);

    expect(run).toMatchObject({ code: 0, result: { iterations: 2 } });
    expect(eventsOf(run, 'paths.restored')[0]).toMatchObject({ paths: ['tests/conftest.sh', 'tests/work.sh'] });
    expect(stage.after().changed).toEqual(['?? work.txt']);
  });

  it('makes the iteration red even if the work is done', async () => {
    await using stage = await openLoopStage([finishes('echo "# mine" >> tests/work.sh; echo done > work.txt'), finishes('true')], {
      files,
      gate: 'sh run-tests.sh',
    });
    const run = await stage.loop(...PROTECT, '--commit');

    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.repo.git('log', '--format=%s', '--reverse').split('\n')).toEqual(['start', 'Iteration 2: Do the work.']);
    expect(stage.repo.git('show', '--name-only', '--format=')).toBe('work.txt');
  });

  it('may come from a hook in the work tree that the agent wrote; such a commit is never accepted', async () => {
    const hook = 'mkdir -p .husky; printf "#!/bin/sh\\necho true > tests/work.sh; git add -A" > .husky/pre-commit; chmod +x .husky/pre-commit';
    await using stage = await openLoopStage([finishes(hook, 'echo done > work.txt'), finishes('rm .husky/pre-commit')], { files, gate: 'sh run-tests.sh' });
    stage.repo.git('config', 'core.hooksPath', '.husky');
    const run = await stage.loop(...PROTECT, '--commit');

    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.prompts()[1]).toContain('it was put back: tests/work.sh');
    expect(stage.repo.git('show', 'HEAD:tests/work.sh')).toBe(TEST.trim());
    expect(run.result).toMatchObject({ done: true, commits: 2, last_commit: stage.repo.git('rev-parse', 'HEAD') });
  });

  it('never comes from a hook in the git folder, because the agent has its own git folder', async () => {
    const hook = 'printf "#!/bin/sh\\necho true > tests/work.sh; git add -A" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; true';
    await using stage = await openLoopStage([finishes(hook, 'echo done > work.txt')], { files, gate: 'sh run-tests.sh' });
    const run = await stage.loop(...PROTECT, '--commit', '--workspace=copy');

    expect(iterationsOf(run)).toEqual(['green']);
    expect(stage.repo.git('show', 'HEAD:tests/work.sh')).toBe(TEST.trim());
    expect(existsSync(at(stage, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('is not blamed on the agent if a check writes its report there, and the report is not committed', async () => {
    await using stage = await openLoopStage([honest], { files, gate: 'date +%s%N > tests/report.xml; sh run-tests.sh' });
    const run = await stage.loop(...PROTECT, '--commit');

    expect(run).toMatchObject({ code: 0, result: { iterations: 1, commits: 1 } });
    expect(run.stderr).toContain('Reverted changes of the checks to protected paths: tests/report.xml');
    expect(stage.repo.git('show', '--name-only', '--format=')).toBe('work.txt');
    expect(stage.after().changed).toEqual([]);
  });

  it('is not blamed on the agent if the user had changed it before', async () => {
    await using stage = await openLoopStage([honest], { files, gate: 'sh run-tests.sh' });
    await stage.repo.write('tests/work.sh', `${TEST}# the user's own\n`);
    await stage.repo.write('tests/new.sh', 'true\n');
    const run = await stage.loop(...PROTECT);

    expect(run).toMatchObject({ code: 0, result: { iterations: 1 } });
    expect(stage.after().changed).toEqual(['M tests/work.sh', '?? tests/new.sh', '?? work.txt']);
    expect(readFileSync(at(stage, 'tests/work.sh'), 'utf8')).toContain("the user's own");
  });
});
