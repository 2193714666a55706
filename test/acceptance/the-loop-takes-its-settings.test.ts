import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, ends, turn } from '../support/claude-script.ts';
import { openGitPlace, openPlace, type Place } from '../support/place.ts';
import { journalOf, openStage, WORK } from '../support/stage.ts';

/** The prompt of the first attempt. */
async function promptOf(place: Place, ...more: readonly string[]): Promise<string> {
  const { code, stderr, stdout } = await place.ralph(['loop', 'Do the work.', '--agent', place.agent, '--dry-run', '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).prompt;
}

const CHECK = ['--check', 'true'];

/** Turns the check of the stage green and claims completion. */
const GOOD_TURN = turn(bash(WORK), ...ends('All done.\n\nCOMPLETE'));

describe.concurrent('ralph loop', () => {
  it('needs a check or --no-checks', async () => {
    await using place = await openPlace();
    const before = place.everything();
    const { code, stdout, stderr } = await place.ralph(['loop', 'Do the work.', '--agent', place.agent]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: a loop needs a check .*\nhint: .*--check.*--no-checks.*\n$/);
    expect(place.everything()).toEqual(before);
    expect(await promptOf(place, '--no-checks')).not.toContain('Checks your code must pass');
  });

  it.each<[string, readonly string[], RegExp]>([
    ['no task', [...CHECK], /^error: a loop needs a task\n/],
    ['an empty task', [' ', ...CHECK], /^error: a loop needs a task\n/],
    ['two tasks', ['Do', 'it', ...CHECK], /^error: too many arguments/],
    ['a check and none', ['Do it.', ...CHECK, '--no-checks'], /^error: cannot specify both --check and --no-checks\n/],
    ['a missing spec', ['--spec', 'nope.md', ...CHECK], /^error: spec file not found: nope\.md\n/],
    ['a spec that is a directory', ['--spec', '.', ...CHECK], /^error: spec file cannot be used: \.: it is a directory\n/],
    ['a missing configuration', ['Do it.', '-c', 'nope.yaml', ...CHECK], /^error: configuration file not found: nope\.yaml\n/],
    [
      'an invalid number',
      ['Do it.', '--max-iterations', 'x', ...CHECK],
      /^error: loop\.maxIterations must be a positive integer, got "x" \(from -n, --max-iterations\)\n/,
    ],
    ['a report without a format', ['Do it.', '--report-file', 'a.txt', ...CHECK], /^error: the extension of --report-file a\.txt selects no format\n/],
    ['an unknown report', ['Do it.', '--report', 'pdf', ...CHECK], /^error: .*json, markdown, github/],
    ['two results on standard output', ['Do it.', '--report', 'json', '--json', ...CHECK], /^error: cannot specify both --json and --report/],
    ['another task for an old run', ['Do it.', '--resume'], /^error: cannot specify both --resume and a task\n/],
    ['another limit for an old run', ['--resume', '--max-cost', '3'], /^error: cannot specify both --resume and --max-cost\n/],
    ['an unknown run', ['--resume', 'nope'], /^error: there is no run "nope" here\n/],
  ])('refuses %s in one line', async (_name, args, says) => {
    await using place = await openPlace();
    const { code, stderr } = await place.ralph(['loop', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
    expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
  });

  it('shows the exact command and prompt of the first attempt, and runs nothing', async () => {
    await using stage = await openStage([]);
    const { code, stdout } = await stage.ralph('loop', 'Do the work.', '--check', 'sh check.sh', '--model', 'opus', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Command: claude -p --output-format stream-json --verbose --dangerously-skip-permissions --model opus\b/);
    expect(stdout).toContain('## Task\n\nDo the work.');
    expect(stdout).toContain('iteration 1/25');
    expect(stdout).toContain('- `sh check.sh`');
    expect(stdout).toContain('`COMPLETE`');
    expect(stage.after()).toMatchObject({ calls: 0, commits: 1, processes: [] });
  });

  it('gives the spec to the agent instead of the task', async () => {
    await using place = await openPlace();
    await place.write('spec.md', 'Follow the spec.\n');
    const prompt = await promptOf(place, '--spec', 'spec.md', ...CHECK);
    expect(prompt).toContain('## Task Specification\n\nFollow the spec.');
    expect(prompt).not.toContain('Do the work.');
  });

  it('takes each setting from the source with the highest priority', async () => {
    await using place = await openPlace();
    const says = async (...more: readonly string[]) => /iteration 1\/(\d+)/.exec(await promptOf(place, ...CHECK, ...more))?.[1];
    expect(await says()).toBe('25');
    await place.write('ralph.yaml', 'ralph_loop:\n  max_iterations: 11\n');
    expect(await says()).toBe('11');
    await place.write('.ralph/settings.json', JSON.stringify({ maximumIterations: 3, loop: { maxIterations: 12 } }));
    expect(await says()).toBe('12');
    await place.write('.ralph/settings.local.json', JSON.stringify({ loop: { maxIterations: 13 } }));
    expect(await says()).toBe('13');
    await place.write('mine.json', JSON.stringify({ ralph_loop: { max_iterations: 14 } }));
    expect(await says('-c', 'mine.json')).toBe('14');
    expect(await says('-c', 'mine.json', '--max-iterations', '150')).toBe('150');
  });

  it('adds checks and protected paths, and removes none', async () => {
    await using place = await openPlace();
    await place.write('ralph.yaml', 'ralph_loop:\n  checks: [make lint]\n');
    const prompt = await promptOf(place, '--check', 'make test', '--check', 'make lint');
    expect(prompt).toContain('- `make lint`\n- `make test`');
    expect(await promptOf(place)).toContain('- `make lint`');
  });

  it('reports an error in ralph.yaml in one line; ralph run ignores that file', async () => {
    await using place = await openPlace();
    await place.write('ralph.yaml', 'ralph_loop:\n  # mine\n  max_iteration: 5\n');
    const wrong = 'error: failed to load settings: ralph.yaml: line 3: ralph_loop.max_iteration is not a setting; did you mean "max_iterations"?\n';
    for (const args of [
      ['loop', 'Do it.', ...CHECK],
      ['config', 'show'],
    ]) {
      const { code, stderr } = await place.ralph(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(wrong) });
    }
    expect(await place.ralph(['run', '-p', 'Do it.', '--agent', place.agent, '--dry-run'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is shown by ralph config, with the source of each value', async () => {
    await using place = await openPlace();
    await place.write('ralph.yaml', 'ralph_loop:\n  max_cost: 3.5\n  agent: codex\n');
    await place.write('.ralph/settings.json', JSON.stringify({ loop: { agent: 'fast' }, agents: { fast: { command: 'x' } } }));
    await place.write('mine.yaml', 'ralph_loop: {completion_tag: READY}\n');
    const { stdout } = await place.ralph(['config', 'show', '-c', 'mine.yaml']);
    expect(stdout).toMatch(/^loop\.maxIterations +default +25$/m);
    expect(stdout).toMatch(/^loop\.maxCost +ralph\.yaml +3\.5$/m);
    expect(stdout).toMatch(/^loop\.agent +\.ralph\/settings\.json +"fast"$/m);
    expect(stdout).toMatch(/^loop\.completionTag +mine\.yaml +"READY"$/m);
    expect(stdout).toMatch(/^agents +\.ralph\/settings\.json +\{"fast":\{"command":"x"\}\}$/m);
    const schema = await place.ralph(['config', 'schema', '--yaml']);
    expect(JSON.parse(schema.stdout)).toMatchObject({ properties: { ralph_loop: expect.anything() } });
  });

  it('finds an agent on PATH, or reports that there is none', async () => {
    await using place = await openPlace();
    const empty = join(place.beside, 'empty');
    await mkdir(empty);
    const { code, stderr } = await place.ralph(['loop', 'Do it.', ...CHECK], { env: { PATH: empty } });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: no agent is named, and none of claude, codex, amp, opencode, gemini was found on PATH\nhint: .*--agent.*\n$/);
    await place.write('bin/amp', '#!/bin/sh\n', 0o755);
    const found = await place.ralph(['loop', 'Do it.', ...CHECK, '--dry-run'], { env: { PATH: [empty, join(place.path, 'bin')].join(delimiter) } });
    expect(found.stdout).toMatch(/^Command: amp /);
  });
});

describe.concurrent('a loop that has run', () => {
  it('gave its first agent the prompt that the dry run showed', async () => {
    await using stage = await openStage([GOOD_TURN]);
    const loop = ['loop', 'Do the work.', '--check', 'sh check.sh', '--max-cost', '5', '--protect', 'check.sh', '--no-baseline', '--json'];
    const { prompt, command } = JSON.parse((await stage.ralph(...loop, '--dry-run')).stdout);
    expect(await stage.ralph(...loop)).toMatchObject({ code: 0 });
    // The hook of the guard needs the socket of a run.
    expect(stage.calls()).toMatchObject([{ prompt, args: [...command.slice(1), '--settings', expect.stringContaining('"PreToolUse"')] }]);
  });

  it('has the settings of the files and the command line', async () => {
    await using stage = await openStage([GOOD_TURN], {
      files: { 'ralph.yaml': 'ralph_loop:\n  checks: [sh check.sh]\n  max_time: 300\n  completion_tag: COMPLETE\n' },
      settings: { maximumIterations: 1, guardrails: [{ command: 'false' }], completionResponse: 'READY' },
    });
    const run = await stage.ralph('loop', 'Do the work.', '--protect', 'check.sh', '--max-cost', '5', '--json');
    expect(run).toMatchObject({ code: 0, result: { recipe: 'loop', stop_reason: 'all_checks_passed', iterations: 1, maximum_iterations: 25 } });
    expect(journalOf(run)[0]).toMatchObject({
      sources: ['ralph.yaml', '.ralph/settings.json'],
      settings: { gates: [{ command: 'sh check.sh' }], loop: { budget: { costUsd: 5, timeMs: 300_000 }, protect: ['check.sh'] } },
    });
  });

  it('writes its report to --report-file, and creates missing folders', async () => {
    await using stage = await openStage([GOOD_TURN]);
    const { code } = await stage.ralph('loop', 'Do the work.', '--check', 'sh check.sh', '--quiet', '--report-file', '../out/deep/report.JSON');
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(stage.repo.path, '../out/deep/report.JSON'), 'utf8'))).toMatchObject({
      status: 'success',
      files_modified: ['work.txt'],
    });
  });

  it('prints its report, or adds it to the summary of a GitHub job', async () => {
    await using stage = await openStage([GOOD_TURN]);
    const printed = await stage.ralph('loop', 'Do the work.', '--check', 'sh check.sh', '--quiet', '--report', 'markdown');
    expect(printed.code).toBe(0);
    expect(printed.stdout).toMatch(/^# .*\n/);
  });

  it('keeps its exit code if its report cannot be written', async () => {
    await using place = await openGitPlace();
    await place.write('file', '');
    const args = ['loop', 'Do it.', '--agent', place.agent, '--completion-tag', 'DONE', ...CHECK, '--json'];
    const run = await place.ralph([...args, '--report-file', 'file/report.md']);
    expect(run).toMatchObject({ code: 0, result: { done: true } });
    expect(run.stderr).toMatch(/^warning: the report was not written: /m);
    const summary = join(place.beside, 'summary.md');
    expect(await place.ralph([...args, '--report', 'github'], { env: { GITHUB_STEP_SUMMARY: summary } })).toMatchObject({ code: 0, result: { done: true } });
    expect(existsSync(summary)).toBe(true);
  });
});
