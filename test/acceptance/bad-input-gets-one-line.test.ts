import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGitPlace, openPlace, type Place } from '../support/place.ts';
import { refused } from '../support/refused.ts';

const RUN = ['run', '-p', 'Do the work.', '--agent', 'true'];

describe.concurrent('a command line that', () => {
  // One folder for all cases, so that a leftover is detected.
  let place: Place;
  beforeAll(async () => {
    place = await openGitPlace();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it.each<[string, string[], string, string]>([
    ['has both prompts', ['run', '-p', 'a', '-f', 'b'], 'cannot specify both --prompt and --prompt-file', 'Leave one of them out.'],
    [
      'has no prompt',
      ['run', '--agent', 'true'],
      'must specify prompt (--prompt or --prompt-file)',
      'For example: ralph run "Make the tests pass, then answer DONE" --agent claude',
    ],
    [
      'has nothing at all',
      [],
      'must specify prompt (--prompt or --prompt-file)',
      'What you can do: ralph run "…" --check "npm test", ralph loop "…" --check "npm test", ralph work --plan FILE, ralph supervise -p "…", ralph init, ralph --help',
    ],
    [
      'has an empty prompt',
      ['run', '-p', '', '--agent', 'true'],
      'must specify prompt (--prompt or --prompt-file)',
      'For example: ralph run "Make the tests pass, then answer DONE" --agent claude',
    ],
  ])('%s is refused with the missing option', async (_name, args, error, hint) => {
    expect(await refused(place, args)).toEqual({ code: 2, error, hint });
  });

  it.each<[string, string[], string]>([
    ['-m abc', ['-m', 'abc'], 'maximumIterations must be a positive integer, got "abc" (from -m, --maximum-iterations)'],
    ['-m 0', ['-m', '0'], 'maximumIterations must be a positive integer, got 0 (from -m, --maximum-iterations)'],
    ['-m -1', ['-m', '-1'], 'maximumIterations must be a positive integer, got -1 (from -m, --maximum-iterations)'],
    ['-m 1.5', ['-m', '1.5'], 'maximumIterations must be a positive integer, got 1.5 (from -m, --maximum-iterations)'],
    ['-m ""', ['-m', ''], 'maximumIterations must be a positive integer, got "" (from -m, --maximum-iterations)'],
    ['--max-iterations 1e3', ['--max-iterations', '1e3'], 'maximumIterations must be a positive integer, got "1e3" (from -n, --max-iterations)'],
    ['-c ""', ['-c', ''], 'completionResponse must not be empty (from -c, --completion-response)'],
    ['--idle-timeout soon', ['--idle-timeout', 'soon'], 'idleTimeout must be a duration such as "20m", "90s" or "off", got "soon" (from --idle-timeout)'],
    [
      '--iteration-timeout -5m',
      ['--iteration-timeout', '-5m'],
      'iterationTimeout must be a duration such as "20m", "90s" or "off", got "-5m" (from --iteration-timeout)',
    ],
    ['--autonomy yolo', ['--autonomy', 'yolo'], 'agent.autonomy must be one of full, edits, ask, got "yolo" (from --autonomy)'],
    ['--agent-kind nope', ['--agent-kind', 'nope'], 'There is no agent called "nope".'],
    ['--agent ""', ['--agent', ''], 'agent.command must not be empty (from --agent)'],
    ['--agent "  "', ['--agent', '  '], 'agent.command must not be empty (from --agent)'],
    ['an open quote', ['--agent', "sh 'a"], "There is an open ' in: sh 'a"],
    ['--guardrail ""', ['--guardrail', 'true', '--guardrail', ''], 'guardrails[1].command must not be empty (from --check)'],
    ['--require-proof alone', ['--require-proof'], 'this run has no check, so nothing could prove that it is done'],
    [
      'a name and its alias',
      ['-m', '3', '--max-iterations', '5'],
      "option '-m, --maximum-iterations <n>' cannot be used with option '-n, --max-iterations <n>'",
    ],
    ['two aliases', ['--backend', 'a', '--tool', 'b'], "option '--backend <command>' cannot be used with option '--tool <command>'"],
    ['a control character', ['--agent-kind', 'a\u001b[2J\nb'], 'There is no agent called "a [2J b".'],
  ])('has %s is refused', async (_name, args, error) => {
    const words = args[0] === '--backend' ? ['run', '-p', 'a', ...args] : [...RUN, ...args];
    expect(await refused(place, words)).toMatchObject({ code: 2, error });
  });

  it.each<[string[], string, string]>([
    [['run', '--promt', 'x'], "unknown option '--promt'", 'Did you mean --prompt?'],
    [['--promt', 'x'], "unknown option '--promt'", 'Did you mean --prompt?'],
    [['run', '--zzz'], "unknown option '--zzz'", 'ralph run --help --all lists its options.'],
    [['--zzz'], "unknown option '--zzz'", 'ralph --help lists the commands and options.'],
    [['init', '--foo'], "unknown option '--foo'", 'ralph init --help --all lists its options.'],
    [['watch', '--foo'], "unknown option '--foo'", 'ralph watch --help lists its options.'],
    [['completion', '--foo'], "unknown option '--foo'", 'ralph completion --help lists its options.'],
    [['torture', '--foo'], "unknown option '--foo'", 'ralph torture --help --all lists its options.'],
    [['runs', 'list', '--foo'], "unknown option '--foo'", 'ralph runs list --help lists its options.'],
    [['runs', 'list', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['task', 'list', '--foo=bar'], "unknown option '--foo=bar'", 'ralph task list --help lists its options.'],
    [['run', '-p'], "option '-p, --prompt <text>' argument missing", 'ralph run --help --all lists its options.'],
    [['quota', '--forget', 'x'], "too many arguments for 'quota'. Expected 0 arguments but got 1.", 'It takes options only: ralph quota --help lists them.'],
    [['stauts'], "unknown command 'stauts'", 'Did you mean status?'],
    [['help', 'stauts'], "unknown command 'stauts'", 'Did you mean status?'],
    [['Fix the tests'], "unknown command 'Fix the tests'", "For a prompt: ralph run 'Fix the tests'"],
    [['zzz'], "unknown command 'zzz'", 'For a prompt: ralph run "…"; ralph --help lists the commands and options.'],
    [['start'], "unknown command 'start'", 'Start a run with: ralph run "Make the tests pass, then answer DONE" --agent claude'],
    [['resume', 'abc'], "unknown command 'resume'", 'Continue a run with: ralph runs resume'],
    [
      ['import', 'prd.json'],
      "unknown command 'import'",
      'A plan needs no import, work on its file: ralph work --plan FILE; for GitHub issues: ralph plan github --label NAME',
    ],
    [['run', '--prd', 'prd.json'], "unknown option '--prd'", 'Work on the tasks of a file with: ralph work --plan FILE'],
    [['loop', 'x', '--tool', 'codex'], "unknown option '--tool'", 'The agent is --agent, such as: --agent claude'],
    [['run', 'x', '--workers', '4'], "unknown option '--workers'", 'These commands have it: ralph work.'],
    [['run', 'x', '--max-time=4'], "unknown option '--max-time=4'", 'These commands have it: ralph loop, ralph work.'],
    [['run', 'x', '--sandbox', 'os'], '--sandbox needs "=" before its mode, not a space', 'Write --sandbox=os'],
    [['run', 'fix', 'the', 'tests'], "too many arguments for 'run'. Expected 1 argument but got 3.", 'Put words that belong together in quotes.'],
    [['run', '-p', 'fix', 'tests'], 'cannot specify both --prompt and the prompt "tests"', 'Leave one of them out; put a prompt of several words in quotes.'],
    [['run', '-f', 'a.md', 'x'], 'cannot specify both --prompt-file and the prompt "x"', 'Leave one of them out; put a prompt of several words in quotes.'],
    [['status', 'a', 'b'], "too many arguments for 'status'. Expected 1 argument but got 2.", 'Put words that belong together in quotes.'],
    [['demo', 'a'], "too many arguments for 'demo'. Expected 0 arguments but got 1.", 'It takes options only: ralph demo --help lists them.'],
    [['status'], 'there is no run here', 'Start one with: ralph run -p "…"'],
    [['status', 'nope'], 'there is no run "nope" here', 'Start one with: ralph run -p "…"'],
    [['run', '--resume'], 'there is no run here', 'Start one with: ralph run -p "…"'],
    [['run', '--resume', 'nope'], 'there is no run "nope" here', 'Start one with: ralph run -p "…"'],
    [
      ['run', '--resume', '-p', 'x'],
      'cannot specify both --resume and --prompt',
      'A run continues with the settings it was started with; leave the flag out, or start a new run.',
    ],
    [
      ['run', '--resume', 'abc', 'x'],
      'cannot specify both --resume and a prompt',
      'A run continues with the settings it was started with; leave the prompt out, or start a new run.',
    ],
    [
      ['run', '--resume', '--max-iterations', '5'],
      'cannot specify both --resume and --max-iterations',
      'A run continues with the settings it was started with; leave the flag out, or start a new run.',
    ],
    [
      ['run', '--resume', '--guardrail', 'true'],
      'cannot specify both --resume and --check',
      'A run continues with the settings it was started with; leave the flag out, or start a new run.',
    ],
  ])('is %j is refused', async (args, error, hint) => {
    expect(await refused(place, args)).toEqual({ code: 2, error, hint });
  });

  it.each(['--json', '--quiet', '--verbose', '--dry-run'])('is wrong is refused in the same words with %s', async (flag) => {
    expect(await refused(place, [...RUN, '-m', '0', flag])).toMatchObject({
      code: 2,
      error: 'maximumIterations must be a positive integer, got 0 (from -m, --maximum-iterations)',
    });
  });
});

describe.concurrent('a prompt file that', () => {
  const run = (name: string) => ['run', '-f', name, '--agent', 'true'];

  it.each<[string, string, string]>([
    ['is missing', 'nope.md', 'prompt file not found: nope.md'],
    ['lies in a file', 'readme.txt/nope.md', 'prompt file not found: readme.txt/nope.md'],
    ['is a directory', '.git', 'prompt file is a directory: .git'],
    ['has no name', '', 'prompt file not found:'],
  ])('%s is refused', async (_name, file, error) => {
    await using place = await openGitPlace();
    expect(await refused(place, run(file))).toMatchObject({ code: 2, error });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['is empty', '', 'prompt file PROMPT.md is empty'],
    ['is not UTF-8', Buffer.from('fa\u00e7ade', 'latin1'), 'prompt file PROMPT.md is not UTF-8 text'],
  ])('%s is refused', async (_name, content, error) => {
    await using place = await openGitPlace();
    await place.write('PROMPT.md', content);
    expect(await refused(place, run('PROMPT.md'))).toMatchObject({ code: 2, error });
  });

  it('is empty standard input is refused', async () => {
    await using place = await openGitPlace();
    expect(await refused(place, run('-'))).toMatchObject({ code: 2, error: 'the prompt on standard input is empty' });
  });
});

describe.concurrent('a settings file that', () => {
  it.each<[string, string, string]>([
    ['is no JSON', '{"agent": {"command": "true"},}', 'Expected double-quoted property name in line 1, column 31'],
    ['is empty', '', 'it is empty'],
    ['is null', 'null', 'the settings must be an object, got null'],
    ['is a list', '[]', 'the settings must be an object, got a list'],
    ['has an unknown key', '{"guardrail": []}', 'guardrail is not a setting; did you mean "guardrails"?'],
    ['has a wrong type', '{"agent": {"flags": "--verbose"}}', 'agent.flags must be a list of texts, got "--verbose"'],
    ['has an empty guardrail', '{"guardrails": [{"command": ""}]}', 'guardrails[0].command must not be empty'],
    ['has a key twice', '{"guardrails": [{"command": "make"}], "guardrails": []}', '"guardrails" is there twice'],
  ])('%s is refused', async (_name, content, problem) => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', content);
    expect(await refused(place, RUN)).toMatchObject({ code: 2, error: `failed to load settings: .ralph/settings.json: ${problem}` });
  });

  it('is invalid JSON of several lines is refused in one line', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', '{\n  "agent": claude\n}\n');
    const { error } = await refused(place, RUN);
    expect(error).toMatch(/^failed to load settings: \.ralph\/settings\.json: Unexpected token .* is not valid JSON$/);
  });

  it('is a directory is refused', async () => {
    await using place = await openPlace();
    await mkdir(join(place.path, '.ralph', 'settings.local.json'), { recursive: true });
    expect(await refused(place, RUN)).toMatchObject({ code: 2, error: 'failed to load settings: .ralph/settings.local.json: it is a directory' });
  });

  it('has flags of the agent with an open quote is refused', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', JSON.stringify({ agent: { flags: ["--system 'be kind"] } }));
    expect(await refused(place, RUN)).toMatchObject({ code: 2, error: "There is an open ' in: --system 'be kind" });
  });
});
