import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { readRalphYaml } from './load-loop-settings.ts';

async function read(content: string | Uint8Array, name = 'ralph.yaml') {
  await using folder = await openThrowAwayFolder();
  await writeFile(join(folder.path, name), content);
  return await readRalphYaml(folder.path, name);
}

/** The error message after the name of the file. */
async function refusalOf(content: string | Uint8Array): Promise<string> {
  const trouble: unknown = await read(content).catch((error: unknown) => error);
  if (!(trouble instanceof OperatorError)) throw new Error(`Not refused: ${JSON.stringify(trouble)}`);
  expect(trouble).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^failed to load settings: ralph\.yaml: [^\n]{1,200}$/) });
  return trouble.message.replace('failed to load settings: ralph.yaml: ', '');
}

const SEED = `ralph_loop:
  max_iterations: 25 # 1-100
  max_cost: null # USD, null = no limit
  max_time: null # seconds, null = no limit
  completion_tag: "COMPLETE" # tag the agent emits
  agent: build # default agent
`;

describe('ralph.yaml', () => {
  it('is read as in seed 004', async () => {
    expect(await read(SEED)).toEqual({ loop: { maxIterations: 25, maxCost: null, maxTime: null, completionTag: 'COMPLETE', agent: 'build' } });
  });

  it('may contain every key of a loop, in snake case', async () => {
    const yaml = 'ralph_loop:\n  checks: [npm test]\n  check_timeout: 90s\n  require_tag: auto\n  parallel_checks: true\n  flaky_retries: 0\n';
    expect(await read(yaml)).toEqual({
      loop: { checks: ['npm test'], checkTimeout: '90s', requireTag: 'auto', parallelChecks: true, flakyRetries: 0 },
    });
  });

  it('may be JSON, even indented with tabs', async () => {
    expect(await read('{\n\t"$schema": "x",\n\t"ralph_loop": {\n\t\t"max_cost": 1.5\n\t}\n}\n', 'loop.json')).toEqual({ loop: { maxCost: 1.5 } });
  });

  it.each([
    ['nothing but comments', '# ralph_loop:\n#   max_cost: 1\n'],
    ['an empty section', 'ralph_loop:\n  # max_cost: 1\n'],
    ['a byte order mark and the line ends of Windows', '\uFEFFralph_loop:\r\n'],
  ])('may have %s', async (_name, yaml) => {
    expect(await read(yaml)).not.toHaveProperty('loop.maxCost');
  });

  it('may use an anchor', async () => {
    expect(await read('ralph_loop:\n  checks: &all [make, lint]\n  protect: *all\n')).toEqual({
      loop: { checks: ['make', 'lint'], protect: ['make', 'lint'] },
    });
  });

  it('may be missing', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await readRalphYaml(folder.path, 'ralph.yaml')).toBeNull();
  });
});

describe('ralph.yaml is refused, with the line and the key,', () => {
  it.each([
    ['ralph_loop:\n  max_iterations: 0\n', 'line 2: ralph_loop.max_iterations must be an integer from 1 to 100, got 0'],
    ['ralph_loop:\n  max_iterations: 101\n', 'line 2: ralph_loop.max_iterations must be an integer from 1 to 100, got 101'],
    ['# mine\n\nralph_loop:\n\n  max_cost: "3"\n', 'line 5: ralph_loop.max_cost must be a positive number, got "3"'],
    ['ralph_loop:\n  max_cost: .nan\n', 'line 2: ralph_loop.max_cost must be a positive number, got NaN'],
    ['ralph_loop:\n  max_cost: 0\n', 'line 2: ralph_loop.max_cost must be a positive number, got 0'],
    ['ralph_loop:\n  max_time: soon\n', 'line 2: ralph_loop.max_time must be a duration such as "20m", "90s" or "off", got "soon"'],
    ['ralph_loop:\n  agent: x\n  max_iteration: 5\n', 'line 3: ralph_loop.max_iteration is not a setting; did you mean "max_iterations"?'],
    ['ralph_loop:\n  maxIterations: 5\n', 'line 2: ralph_loop.maxIterations is not a setting; did you mean "max_iterations"?'],
    ['ralph_loop: {}\nralph_lop:\n  agent: x\n', 'line 2: ralph_lop is not a setting; did you mean "ralph_loop"?'],
    ['ralph_loop:\n  checks:\n    - make\n    - 3\n', 'line 4: ralph_loop.checks[1] must be a text, got 3'],
    ['ralph_loop:\n  checks: make\n', 'line 2: ralph_loop.checks must be a list of texts, got "make"'],
    ['ralph_loop:\n  baseline: yes\n', 'line 2: ralph_loop.baseline must be true or false, got "yes"'],
    ['ralph_loop: [a]\n', 'line 1: ralph_loop must be an object, got a list'],
    ['- a\n', 'line 1: the settings must be an object, got a list'],
    ['agent\n', 'line 1: the settings must be an object, got "agent"'],
    ['__proto__:\n  x: 1\n', 'line 1: __proto__ is not a setting'],
    ['ralph_loop:\n  <<: {agent: x}\n', 'line 2: ralph_loop."<<" is not a setting'],
  ])('for %j', async (yaml, says) => {
    expect(await refusalOf(yaml)).toBe(says);
  });

  it.each([
    ['is empty', '', 'it is empty'],
    ['is white space', ' \n', 'it is empty'],
    ['is indented with tabs', 'ralph_loop:\n\tmax_cost: 1\n', 'line 2: there is a tab in the indentation, where YAML wants spaces'],
    ['has a key twice', 'ralph_loop:\n  max_cost: 1\n  "max_cost": 2\n', 'line 3: "max_cost" is there twice'],
    [
      'has a tag that would run code',
      'ralph_loop:\n  agent: !!js/function "x"\n',
      'line 2: there is a tag that means nothing here: tag:yaml.org,2002:js/function',
    ],
    ['has a custom tag', 'ralph_loop: !mine\n  agent: x\n', 'line 1: there is a tag that means nothing here: !mine'],
    ['has a second document', 'ralph_loop:\n---\nralph_loop:\n', 'line 2: a second document begins; one is all there may be'],
    ['has an open quote', 'ralph_loop:\n  agent: "x\n', 'line 3: Missing closing "quote'],
    ['uses an unknown anchor', 'ralph_loop:\n  agent: *x\n', 'Unresolved alias (the anchor must be set before the alias): x'],
    ['contains itself', 'ralph_loop: &x\n  checks: [*x]\n', 'an alias stands inside of what it stands for'],
    ['is not UTF-8', Buffer.from('ralph_loop:\n  agent: fa\u00e7ade\n', 'latin1'), 'it is not UTF-8 text'],
  ])('if it %s', async (_name, yaml, says) => {
    expect(await refusalOf(yaml)).toBe(says);
  });

  it('if its aliases grow exponentially', async () => {
    const levels = [...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`)}]`);
    expect(await refusalOf(`a: &a [${Array(9).fill('lol')}]\n${levels.join('\n')}\n`)).toBe('its aliases stand for more than 100 values');
  });

  it.each([
    ['lists', `a: ${'['.repeat(10_000)}`],
    ['maps', `a: ${'{a: '.repeat(10_000)}`],
    ['dashes', '- '.repeat(10_000)],
    ['question marks', '? '.repeat(10_000)],
  ])('if its %s are nested ten thousand deep', async (_name, yaml) => {
    expect(await refusalOf(yaml)).toBe('there are more than 50 lists and maps inside of each other');
  });

  it('if it has the size of a megabyte', async () => {
    expect(await refusalOf(`ralph_loop:\n  agent: ${'x'.repeat(1_000_000)}\n`)).toBe('it has more than 100000 characters');
  });

  it('in one short line for thousands of wrong keys', async () => {
    const keys = Array.from({ length: 4_000 }, (_, index) => `  key_${index}: ${index}\n`);
    expect(await refusalOf(`ralph_loop:\n${keys.join('')}`)).toBe('line 2: ralph_loop.key_0 is not a setting');
  });

  it('if it is a directory or a pipe, without waiting', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'ralph.yaml'));
    await expect(readRalphYaml(folder.path, 'ralph.yaml')).rejects.toThrow('ralph.yaml: it is a directory');
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    await expect(readRalphYaml(folder.path, 'pipe')).rejects.toThrow('pipe: it is not a regular file');
  });
});
