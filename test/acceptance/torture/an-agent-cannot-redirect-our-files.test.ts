import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { type EndedRun, iterationsOf, journalOf, openStage, WORK, WORKED } from '../../support/stage.ts';

const LOG = '.ralph/guardrail_001_sh_check_sh.log';
const RUN = '.git/ralph/runs/$RALPH_RUN_ID';
const works = turn(bash(WORK), ...ends(CLAIM));
const does = (command: string) => turn(bash(command), ...ends('Not there yet.'));

/** The log path and the result of the first gate of each iteration, from the journal. */
function gatesOf(run: EndedRun) {
  const judged = journalOf(run).filter(({ type }) => type === 'gates.judged') as readonly unknown[];
  return (judged as readonly { readonly results: readonly { readonly log: string; readonly output: string; readonly ending: unknown }[] }[]).map(
    ({ results }) => results[0],
  );
}

function expectWholeJournal(run: EndedRun): void {
  const journal = journalOf(run);
  expect(journal[0]).toMatchObject({ type: 'run.started' });
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
  expect(journal.at(-1)).toMatchObject({ type: 'run.stopped' });
}

describe.concurrent('an agent that', () => {
  it.each([
    ['links the log of the gate to the journal', `ln -s runs/$RALPH_RUN_ID/journal.jsonl ${LOG}`],
    ['makes the journal and the log one file', `ln ${RUN}/journal.jsonl ${LOG}`],
    ['links the log of the gate to a file of the user', `ln -s ../precious.txt ${LOG}`],
    ['makes a pipe of the log of the gate', `mkfifo ${LOG}`],
    ['links the log of the gate to itself', `ln -s guardrail_001_sh_check_sh.log ${LOG}`],
  ])('%s changes no other file, and the gate still counts', async (_name, command) => {
    await using stage = await openStage([does(command), works], { files: { 'precious.txt': 'precious\n' } });
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(gatesOf(run)[0]).toMatchObject({ log: LOG, output: 'work.txt is not done\n' });
    expect(readFileSync(join(stage.repo.path, LOG), 'utf8')).toBe('work.txt is not done\n');
    expectWholeJournal(run);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it.each([
    ['a link to another folder', 'mkdir ../beside/elsewhere; cp .ralph/settings.json ../beside/elsewhere; rm -r .ralph; ln -s ../beside/elsewhere .ralph'],
    ['a file', 'rm -r .ralph; echo > .ralph'],
  ])('replaces .ralph by %s moves the log to the run folder', async (_name, command) => {
    await using stage = await openStage([does(command), works]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    const log = gatesOf(run)[0]?.log ?? '';
    expect(log).toMatch(/^\.git\/ralph\/runs\/[^/]+\/guardrail_001_sh_check_sh\.log$/);
    expect(readFileSync(join(stage.repo.path, log), 'utf8')).toBe('work.txt is not done\n');
    expect(stage.calls()[1]?.prompt).toContain(log);
    const elsewhere = join(stage.repo.beside, 'elsewhere');
    if (existsSync(elsewhere)) expect(readdirSync(elsewhere)).toEqual(['settings.json']);
    expectWholeJournal(run);
  });

  it('replaces the log of a gate by a directory gets one red gate with the reason', async () => {
    await using stage = await openStage([does(`mkdir ${LOG}`), works]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(gatesOf(run)[0]).toMatchObject({ ending: { kind: 'stopped', cause: 'output', detail: expect.stringMatching(/cannot write .*EISDIR/) } });
  });

  it('puts pipes and links at the paths of the next attempt disturbs nothing', async () => {
    const next = `${RUN}/iterations/002/1-work`;
    const pipes = `mkdir -p ${next}; mkfifo ${next}/agent.jsonl ${next}/agent.stderr; ln -s "$PWD/precious.txt" ${next}/prompt.md`;
    await using stage = await openStage([does(pipes), works], { files: { 'precious.txt': 'precious\n' } });
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('puts a file at the folder of the next iteration fails that iteration, not the run', async () => {
    await using stage = await openStage([does(`echo > ${RUN}/iterations/002`), works]);
    const run = await stage.run('-m', '3');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'failed', 'green']);
    expect(run.stderr).toContain("the attempt's folder cannot be made: EEXIST");
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it.each([
    ['makes a pipe of', 'rm prompt.md; mkfifo prompt.md', 'it is not a regular file'],
    ['empties', ': > prompt.md', 'it is empty'],
  ])('%s the prompt file ends the run with one line and exit code 2', async (_name, command, reason) => {
    await using stage = await openStage([does(command), works], { files: { 'prompt.md': 'Do the work.\n' } });
    const run = await stage.ralph('run', '-f', 'prompt.md', '--agent', 'claude', '--guardrail', 'sh check.sh', '--json');

    expect(run.code).toBe(2);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false });
    expect(run.result?.message).toContain(`prompt.md: ${reason}.`);
    expect(stage.calls()).toHaveLength(1);
  });

  it('removes the whole repository does not make Ralph create it again', async () => {
    await using stage = await openStage([does('rm -rf "$PWD"'), works]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(4);
    expect(run.stderr).not.toContain('bug in ralph');
    expect(existsSync(stage.repo.path)).toBe(false);
    expect(stage.processes()).toEqual([]);
  });

  it('removes its folder does not make Ralph create it again', async () => {
    await using stage = await openStage([does('rm -rf "$PWD"'), works], { files: { 'sub/check.sh': 'cat work.txt\n' }, where: 'sub' });
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(4);
    expect(iterationsOf(run)).toEqual(['red', 'abandoned']);
    expect(run.stderr).not.toContain('bug in ralph');
    expect(existsSync(join(stage.repo.path, 'sub'))).toBe(false);
    expectWholeJournal(run);
  });
});

describe.concurrent('a gate that', () => {
  it.each([
    ['makes a pipe of its own log', `rm ${LOG}; mkfifo ${LOG}`],
    ['removes its own log', 'git clean -fdxq'],
  ])('%s still counts', async (_name, command) => {
    const gate = `echo spoken; until [ -s ${LOG} ]; do sleep 0.05; done; ${command}; exit 1\n`;
    await using stage = await openStage([does('true')], { files: { 'check.sh': gate } });
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(gatesOf(run)[0]).toMatchObject({ output: 'spoken\n', ending: { kind: 'exited', code: 1 } });
  });
});
