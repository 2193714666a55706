import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../support/claude-script.ts';
import { judgedGates, logOf } from '../support/judged-gates.ts';
import { openPlace } from '../support/place.ts';
import { iterationsOf, journalOf, openStage, type Stage, WORK } from '../support/stage.ts';

const BASE = 'Do the work.';
const idles = turn(...ends('Not there yet.'));
const works = turn(bash(WORK), ...ends(CLAIM));
const prompts = (stage: Stage) => stage.calls().map(({ prompt }) => prompt);
const guardrails = (...list: readonly object[]) => ({ gate: null, settings: { guardrails: list } });

/** The message about a red guardrail, as the seed prints it. */
const failed = (command: string, log: string, output: string, hint?: string) =>
  `Guardrail "${command}" failed with exit code 1.\n${hint === undefined ? '' : `Hint: ${hint}\n`}Output file: .ralph/guardrail_${log}.log\nOutput (truncated):\n${output}`;

describe.concurrent('the prompt', () => {
  it('contains the failures in the order of the guardrails, separated by two newlines, below the count', async () => {
    const settings = {
      includeIterationCountInPrompt: true,
      guardrails: [
        { command: 'echo dropped; exit 1', failAction: 'APPEND' },
        { command: 'echo first; exit 1', failAction: 'replace', hint: 'Fix the first one first.' },
        { command: 'echo green' },
        { command: 'echo above; exit 1', failAction: 'PREPEND' },
        { command: 'echo below; exit 1' },
      ],
    };
    await using stage = await openStage([idles], { gate: null, settings });
    await stage.run('-m', '2');

    expect(prompts(stage)).toEqual([
      `Iteration 1 of 2, 1 remaining.\n\n${BASE}`,
      [
        'Iteration 2 of 2, 0 remaining.',
        failed('echo above; exit 1', '001_echo_above_exit_1', 'above\n'),
        failed('echo first; exit 1', '001_echo_first_exit_1', 'first\n', 'Fix the first one first.'),
        failed('echo below; exit 1', '001_echo_below_exit_1', 'below\n'),
      ].join('\n\n'),
    ]);
  });

  it('contains only failures of the previous iteration', async () => {
    const gate = 'n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; echo "look $n"; [ $((n % 2)) = 1 ]';
    await using stage = await openStage([idles], { gate });
    const run = await stage.run('-m', '4');

    expect(iterationsOf(run)).toEqual(['red', 'green', 'red', 'green']);
    expect(prompts(stage).map((prompt) => prompt.match(/look \d/g))).toEqual([null, ['look 0'], null, ['look 2']]);
    expect(prompts(stage)[2]).toBe(BASE);
  });

  it('covers every guardrail, because all of them always run', async () => {
    const note = (name: string, code: number) => ({ command: `echo ${name} >> ../beside/order; exit ${code}` });
    await using stage = await openStage([idles], guardrails(note('a', 1), note('b', 0), note('c', 2), note('d', 0)));
    await stage.run('-m', '2');

    expect(readFileSync(join(stage.repo.beside, 'order'), 'utf8')).toBe('a\nb\nc\nd\na\nb\nc\nd\n');
  });

  it('contains a command with newlines and quotes, and a long hint with template characters, unchanged', async () => {
    const command = 'printf "it\'s"\n# "quoted" `not run` $HOME\nfalse';
    const hint = '${HOME} $(id) {{x}} %s $& $1 \\n '.repeat(320);
    await using stage = await openStage([idles], { gate: null, settings: { outputTruncateChars: 2, guardrails: [{ command, hint }] } });
    const run = await stage.run('-m', '2');

    expect(hint.length).toBeGreaterThan(10_000);
    expect(prompts(stage)[1]).toBe(`${BASE}\n\n${failed(command, '001_printf_it_s_quoted_not_run_HOME_false', 'it... [truncated]', hint)}`);
    expect(run.stderr).toMatch(/^Guardrail start: printf "it's"$/m);
  });

  it.each([
    ['cuts at whole characters', 3, 'x🙂🙂... [truncated]'],
    ['cuts nothing that just fits', 4, 'x🙂🙂👩'],
    ['cuts nothing at 0', 0, 'x🙂🙂👩'],
    ['cuts nothing below 0', -1, 'x🙂🙂👩'],
  ])('%s of the output', async (_name, outputTruncateChars, told) => {
    await using stage = await openStage([idles], { settings: { outputTruncateChars }, gate: "printf 'x🙂🙂👩'; exit 1" });
    const run = await stage.run('-m', '2');

    expect(prompts(stage)[1]?.split('Output (truncated):\n')[1]).toBe(told);
    expect(judgedGates(run)[0]?.map((result) => logOf(stage, result).toString())).toEqual(['x🙂🙂👩']);
  });

  it('says that the output was cut, also for a flood', async () => {
    const flood = "head -c 1500000 /dev/zero | tr '\\000' x; exit 1";
    await using stage = await openStage([idles], { settings: { outputTruncateChars: 0 }, gate: flood });
    await stage.run('-m', '2');

    const told = prompts(stage)[1]?.split('Output (truncated):\n')[1] ?? '';
    expect(told.length).toBeGreaterThan(900_000);
    expect(told.endsWith('x... [truncated]')).toBe(true);
  });

  it('of five megabytes is repeated with the failures', async () => {
    const long = 'Do the work. '.repeat(400_000);
    await using stage = await openStage([idles, works], { files: { 'prompt.md': long } });
    const run = await stage.ralph('run', '-f', 'prompt.md', '--agent', 'claude', '--guardrail', 'sh check.sh', '--json', '-m', '2');

    expect(run.code, run.stderr).toBe(0);
    expect(prompts(stage)[0] === long).toBe(true);
    expect(prompts(stage)[1] === `${long}\n\n${failed('sh check.sh', '001_sh_check_sh', 'work.txt is not done\n')}`).toBe(true);
  });

  it('on standard input is read once and given to every iteration', async () => {
    await using place = await openPlace();
    const gate = 'test -e tried || { touch tried; exit 1; }';
    const run = await place.ralph(['-f', '-', '--agent', place.agent, '--guardrail', gate, '--json'], { stdin: '- from\nstandard input\n' });

    expect(run.code, run.stderr).toBe(0);
    expect(readFileSync(join(place.beside, 'prompt.1'), 'utf8')).toBe('- from\nstandard input\n');
    expect(readFileSync(join(place.beside, 'prompt.2'), 'utf8')).toMatch(/^- from\nstandard input\n\n\nGuardrail "/);
  });

  it('that is deleted during the run ends it with one line and exit code 2', async () => {
    await using stage = await openStage([turn(bash('rm prompt.md'), ...ends('Gone.'))], { files: { 'prompt.md': BASE } });
    const run = await stage.ralph('run', '-f', 'prompt.md', '--agent', 'claude', '--guardrail', 'sh check.sh', '--json');

    expect(run.code).toBe(2);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false, message: expect.stringContaining('prompt.md') });
    expect(stage.calls()).toHaveLength(1);
  });
});

describe.concurrent('the log of a guardrail', () => {
  it('has a unique name for any command, even for equal ones', async () => {
    const long = `echo ${'long'.repeat(120)}`;
    const commands = ['echo a 1', 'echo a', 'echo  a', 'echo "a"', '🙂', ': 🙂🙂', ':', long, `${long}er`];
    await using stage = await openStage([idles], guardrails(...commands.map((command) => ({ command }))));
    const run = await stage.run('-m', '1');

    const results = judgedGates(run)[0] ?? [];
    const cut = `echo_${'long'.repeat(12)}`.slice(0, 50);
    expect(results.map(({ log }) => log)).toEqual(
      ['echo_a_1', 'echo_a', 'echo_a_2', 'echo_a_3', 'guardrail', 'guardrail_1', 'guardrail_2', cut, `${cut}_1`].map(
        (name) => `.ralph/guardrail_001_${name}.log`,
      ),
    );
    expect(results.map((result) => logOf(stage, result).toString())).toEqual([
      'a 1\n',
      'a\n',
      'a\n',
      'a\n',
      expect.stringContaining('not found'),
      '',
      '',
      `${'long'.repeat(120)}\n`,
      `${'long'.repeat(120)}er\n`,
    ]);
  });
});

describe.concurrent('settings that are changed during a run', () => {
  const settings = { maximumIterations: 3, guardrails: [{ command: 'sh check.sh', hint: 'Write work.txt.' }] };

  it.each<[string, string, string[], string]>([
    [
      'by other ones',
      `echo '{"maximumIterations": 1, "completionResponse": "OTHER", "guardrails": []}' > .ralph/settings.json`,
      ['.ralph/settings.json'],
      '.ralph/settings.json was changed',
    ],
    ['by a pipe', 'rm .ralph/settings.json; mkfifo .ralph/settings.json', ['.ralph/settings.json'], '.ralph/settings.json was changed'],
    ['by what is no JSON', 'echo { > .ralph/settings.json', ['.ralph/settings.json'], '.ralph/settings.json was changed'],
    [
      'by removal, and by local ones',
      `rm .ralph/settings.json; echo '{"guardrails": []}' > .ralph/settings.local.json`,
      ['.ralph/settings.json', '.ralph/settings.local.json'],
      '.ralph/settings.json and .ralph/settings.local.json were changed',
    ],
  ])('%s do not affect it, and it reports that once', async (_name, command, files, says) => {
    await using stage = await openStage([turn(bash(command), ...ends(CLAIM)), idles, works], { settings, gate: null });
    const run = await stage.run();

    expect(run.code, run.stderr).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'red', 'green']);
    expect(prompts(stage)[2]).toContain('Hint: Write work.txt.');
    expect(journalOf(run).filter(({ type }) => type === 'settings.seen')).toMatchObject([{ files }]);
    expect(run.stderr.split('This run keeps the settings it was started with.')).toHaveLength(2);
    expect(run.stderr).toContain(`${says}. This run keeps`);
  });

  it('by a guardrail are reported after the next agent, also when they change back', async () => {
    const swap = 'mv .ralph/settings.json .ralph/kept.json; echo swapped > .ralph/settings.json';
    const gate = `if [ -e .ralph/kept.json ]; then mv .ralph/kept.json .ralph/settings.json; else ${swap}; fi; sh check.sh`;
    await using stage = await openStage([idles, idles, works], { gate });
    const run = await stage.run('-m', '3');

    expect(run.code, run.stderr).toBe(0);
    expect(journalOf(run).filter(({ type }) => type === 'settings.seen')).toHaveLength(2);
  });
});

describe.concurrent('an agent that fails', () => {
  const crashes = turn({ say: 'Working.' }, { exit: 3 });

  it('uses up its iteration, the guardrails run, and the next agent follows', async () => {
    await using stage = await openStage([crashes, works]);
    const run = await stage.run('-m', '2');

    expect(run.code, run.stderr).toBe(0);
    expect(iterationsOf(run)).toEqual(['failed', 'green']);
    expect(prompts(stage)[1]).toBe(`${BASE}\n\n${failed('sh check.sh', '001_sh_check_sh', 'work.txt is not done\n')}`);
  });

  it('ends the run with exit code 1 if onAgentError is stop', async () => {
    await using stage = await openStage([crashes, works], { settings: { onAgentError: 'stop' } });
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'stuck', done: false, iterations: 1, attempts: 1, message: expect.stringContaining('onAgentError') });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it.each([
    ['is removed', 'rm agent', 'not found'],
    ['may not be executed any more', 'chmod -x agent', 'may not be executed'],
  ])('because its binary %s during the run ends the run at once with exit code 4', async (_name, command, says) => {
    await using place = await openPlace();
    await place.write('agent', `#!/bin/sh\ncat > prompt\n${command}\necho Not there yet.\n`, 0o755);
    const run = await place.ralph(['run', '-p', 'a', '--agent', './agent', '--guardrail', 'true', '--json']);

    expect(run.code, run.stderr).toBe(4);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false, iterations: 2, attempts: 2, message: expect.stringContaining(says) });
  });
});
