import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, exit, stay, turn } from '../../support/claude-script.ts';
import { openGitPlace, type Place } from '../../support/place.ts';
import { refused } from '../../support/refused.ts';
import { endOf, openStage, type Stage, WORK } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

interface Listed {
  readonly run_id: string;
  readonly state: string;
  readonly run_folder: string;
}

async function listed(stage: Stage, ...more: readonly string[]): Promise<readonly Listed[]> {
  return JSON.parse((await stage.ralph('runs', 'list', '--json', ...more)).stdout).runs;
}

const works = turn({ say: 'I am at it.' }, bash(`${WORK}; touch "$HOME/begun"`), stay);
const completes = turn(bash(WORK), ...ends(CLAIM));

describe.concurrent('a run', () => {
  it('is listed while it runs, and can be stopped, resumed and pruned by its name', async () => {
    await using stage = await openStage([works, completes]);
    const running = stage.start();
    await stage.made('begun');
    const [during] = await listed(stage);
    const id = `${during?.run_id}`;
    const tail = await stage.ralph('runs', 'tail', id.slice(-6));
    const stop = await stage.ralph('runs', 'stop', id, '--json');
    const ended = await endOf(running);
    const [after] = await listed(stage);
    const resumed = await stage.ralph('runs', 'resume', id, '--json');
    const shown = JSON.parse((await stage.ralph('runs', 'show', id, '--json')).stdout);
    const kept = await stage.ralph('runs', 'prune');
    const pruned = await stage.ralph('runs', 'prune', '--older-than', '0s', '--json');

    expect(during?.state).toBe('running');
    expect(tail).toMatchObject({ code: 0, stdout: expect.stringContaining('I am at it.') });
    expect([stop.code, JSON.parse(stop.stdout)]).toEqual([0, { run_id: id, answer: 'stopped', stopped: true, left: [] }]);
    expect(ended.code).toBe(143);
    expect(after?.state).toBe('interrupted');
    expect(resumed).toMatchObject({ code: 0, result: { run_id: id, stop_reason: 'completed' } });
    expect(shown).toMatchObject({ state: 'done', iteration_count: 2, iterations: [{ result: 'abandoned' }, { result: 'green', accepted: true }] });
    expect(kept.stdout).toMatch(new RegExp(`^Kept ${id}: it ended only \\S+ ago\\n$`));
    expect(JSON.parse(pruned.stdout)).toMatchObject({ dry_run: false, removed: [{ run_id: id }], kept: [] });
    expect(existsSync(`${during?.run_folder}`)).toBe(false);
    expect(stage.after().processes).toEqual([]);
  });

  it('can be followed to its end, from one agent to the next', async () => {
    await using stage = await openStage([
      turn({ say: 'First words.' }, bash('touch "$HOME/begun"; while ! test -e "$HOME/go"; do sleep 0.05; done'), exit(0)),
      turn({ say: 'Second words.' }, bash(WORK), ...ends(CLAIM)),
    ]);
    const running = stage.start();
    await stage.made('begun');
    const [{ run_id: id } = { run_id: '' }] = await listed(stage);
    const following = stage.begin('runs', 'tail', id, '--follow', '-n', '100');
    let heard = '';
    following.child.stdout?.on('data', (chunk) => {
      heard += chunk;
    });
    await until('the first agent is heard', () => heard.includes('First words.'));
    await stage.make('go');
    const [ended, followed] = [await endOf(running), await following.ended];
    const json = await stage.begin('runs', 'tail', id, '--json').ended;

    expect(ended.code).toBe(0);
    expect(followed.code).toBe(0);
    expect(followed.stdout).toMatch(/First words\.[\s\S]*--- attempt \d\.\d \(work\)[\s\S]*Second words\./);
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ).toContain('message');
  });

  it('that was killed is dead, and prune says so first', async () => {
    await using stage = await openStage([works]);
    const running = stage.start();
    await stage.made('begun');
    running.child.kill('SIGKILL');
    await endOf(running);
    await until('the guardian has ended the agent', () => stage.processes().length === 0);
    const [run] = await listed(stage);
    const kept = await stage.ralph('runs', 'prune', '--older-than', '0', '--keep-failed');
    const dry = await stage.ralph('runs', 'prune', '--older-than', '0', '--dry-run');

    expect(run?.state).toBe('dead');
    expect(kept.stdout).toBe(`Kept ${run?.run_id}: it is not done (dead)\n`);
    expect(dry.stdout).toBe(`Would remove ${run?.run_id}\n`);
    expect(existsSync(`${run?.run_folder}`)).toBe(true);
  });

  it('is listed even beside folders that only look like a run', async () => {
    await using stage = await openStage([completes]);
    const done = await stage.run();
    const runs = join(`${done.result?.run_folder}`, '..');
    await mkdir(join(runs, '20990101-000000-abcdef'));
    execFileSync('mkfifo', [join(runs, '20990101-000000-abcdef', 'journal.jsonl')]);
    await mkdir(join(runs, '20990102-000000-abcdef'));
    await writeFile(join(runs, '20990102-000000-abcdef', 'journal.jsonl'), 'nothing\n');
    const list = await listed(stage);
    const answers = await Promise.all(['show', 'tail', 'stop', 'resume'].map((word) => stage.ralph('runs', word, '20990101-000000-abcdef')));
    const status = await stage.ralph('status', '--json');

    expect(list.map(({ state }) => state)).toEqual(['unreadable', 'unreadable', 'done']);
    for (const { code, stderr } of answers) {
      expect([code, stderr.split('\n')[0]]).toEqual([4, 'error: run 20990101-000000-abcdef cannot be read: its journal is not a regular file']);
    }
    expect(status.result?.run_id).toBe(done.result?.run_id);
  });
});

describe.concurrent('bad input to ralph runs', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openGitPlace();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it.each<[string[], string, string]>([
    [[], 'ralph runs needs a subcommand: list, show, tail, stop, pause, drain, resume or prune', 'ralph runs --help lists the subcommands.'],
    [['lst'], "unknown command 'runs lst'", 'ralph runs --help lists the subcommands.'],
    [['show', 'x'], 'there is no run "x" here', 'Start one with: ralph run -p "…"'],
    [['resume'], 'there is no run here', 'Start one with: ralph run -p "…"'],
    [['stop', 'x', '--timeout', 'soon'], '--timeout must be a duration, not "soon"', 'For example 30s, 5m or 1h30m; 0 or off means none.'],
    [['tail', 'x', '-n', 'all'], '--lines must be a whole number, not "all"', 'For example 20.'],
    [['prune', '--older-than', '-1'], '--older-than must be a duration, not "-1"', 'For example 30s, 5m or 1h30m; 0 or off means none.'],
    [['list', '--root', ''], '--root is ""', 'Give it a folder.'],
  ])('gets one line: %s', async (args, error, hint) => {
    expect(await refused(place, ['runs', ...args])).toEqual({ code: 2, error, hint });
  });

  it('is refused for two output formats at once', async () => {
    const both = await place.ralph(['runs', 'tail', 'x', '--raw', '--json']);
    expect(both).toMatchObject({ code: 2, stdout: '', stderr: 'error: --raw and --json exclude each other\nhint: Leave one of them out.\n' });
  });

  it('does not make an empty list an error', async () => {
    const [words, json] = [await place.ralph(['runs', 'list']), await place.ralph(['runs', 'list', '--json', '--root', 'nowhere'])];
    expect([words.stdout, JSON.parse(json.stdout)]).toEqual(['There are no runs here.\n', { runs: [], left_out: 0 }]);
  });
});
