import { describe, expect, it } from 'vitest';
import { whyNotParsed } from '../../../test/docs/parse-command.ts';
import { readingsOf } from '../../../test/docs/ralph-commands.ts';
import { buildProgram, loadCommands } from '../program.ts';
import type { ProjectFacts, RunFact } from './project-facts.ts';
import { startScreen, suggestions } from './start-screen.ts';

const commands = await loadCommands();

const NOTHING: ProjectFacts = {
  agent: null,
  checks: [],
  folder: '',
  command: 'run',
  plan: { kind: 'none' },
  word: 'DONE',
  promptFile: null,
  runs: [],
  hasSettings: false,
  problem: null,
};
const claude = { command: 'claude', from: 'PATH' };
const npmTest = { command: 'npm test', from: 'package.json' };
const ofSettings = { command: 'make check', from: 'your settings' };
const run = (over: Partial<RunFact>): RunFact => ({ run: '20260101-000000-abcd', recipe: 'run', state: 'running', reason: null, ...over });

describe('the start screen', () => {
  it.each<[string, Partial<ProjectFacts>, readonly string[]]>([
    ['nothing', {}, ['ralph demo', 'ralph init']],
    ['an agent without tests', { agent: claude }, ['ralph run "…, then answer DONE" --agent claude --check "…"', 'ralph init']],
    [
      'an agent and tests',
      { agent: claude, checks: [npmTest] },
      ['ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"', 'ralph init', 'ralph gates --try'],
    ],
    ['settings', { agent: ofSettings, checks: [ofSettings], hasSettings: true }, ['ralph run "Make the tests pass, then answer DONE"', 'ralph gates --try']],
    [
      'settings of a loop',
      { agent: ofSettings, checks: [ofSettings], hasSettings: true, command: 'loop', promptFile: 'PROMPT.md' },
      ['ralph loop --spec PROMPT.md', 'ralph gates --try'],
    ],
    [
      'a plan',
      { agent: claude, plan: { kind: 'one', path: 'task-graph.yaml' }, promptFile: 'PROMPT.md' },
      ['ralph work --agent claude', 'ralph run -f PROMPT.md --agent claude --check "…"', 'ralph init'],
    ],
    [
      'a plan and tests',
      { agent: claude, checks: [npmTest], plan: { kind: 'one', path: 'prd.json' }, hasSettings: true },
      [
        'ralph work --agent claude --check "npm test"',
        'ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"',
        'ralph gates --try',
      ],
    ],
    [
      'several plans',
      { agent: claude, plan: { kind: 'several', why: 'x' }, hasSettings: true },
      ['ralph work --plan FILE --agent claude', 'ralph run "…, then answer DONE" --agent claude --check "…"'],
    ],
    [
      'a check that a shell would change',
      { agent: claude, checks: [{ command: "grep '$x' a", from: 'Makefile' }], hasSettings: true },
      [`ralph run "Make the tests pass, then answer DONE" --agent claude --check 'grep '\\''$x'\\'' a'`, 'ralph gates --try'],
    ],
    [
      'the plan of a subfolder, and the checks of the top',
      { agent: claude, checks: [npmTest], folder: '..', plan: { kind: 'named', path: 'TODO.md', named: 'docs/TODO.md' }, hasSettings: true },
      [
        'cd .. && ralph work --plan docs/TODO.md --agent claude --check "npm test"',
        'cd .. && ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"',
        'cd .. && ralph gates --try',
      ],
    ],
    ['broken settings', { problem: 'it is empty' }, ['ralph config show']],
  ])('suggests what fits %s', (_name, facts, expected) => {
    expect(suggestions({ ...NOTHING, ...facts })).toEqual(expected);
  });

  it.each<[Partial<RunFact>, string]>([
    [{ state: 'running' }, 'ralph status 20260101-000000-abcd'],
    [{ state: 'dead' }, 'ralph runs resume 20260101-000000-abcd'],
    [{ state: 'waiting', reason: 'held' }, 'ralph accept 20260101-000000-abcd'],
    [{ state: 'waiting', reason: 'waiting', recipe: 'run' }, 'ralph answer --run 20260101-000000-abcd'],
    [{ state: 'waiting', reason: 'waiting', recipe: 'stories' }, 'ralph answer --run 20260101-000000-abcd'],
    [{ state: 'waiting', reason: 'waiting', recipe: 'supervise' }, 'ralph runs resume 20260101-000000-abcd'],
    [{ state: 'waiting', reason: 'sealed_red' }, 'ralph runs show 20260101-000000-abcd'],
  ])('begins with the command for a run that is %j', (over, expected) => {
    expect(suggestions({ ...NOTHING, agent: claude, runs: [run(over)] })[0]).toBe(expected);
    for (const words of readingsOf(expected)) expect(whyNotParsed(buildProgram(commands), words)).toBeNull();
  });

  it('tells first of the run that waits for a person, and never more than three commands', () => {
    const runs = [run({ run: 'a' }), run({ run: 'b' }), run({ run: 'c', state: 'waiting', reason: 'held' }), run({ run: 'd' })];
    expect(suggestions({ ...NOTHING, agent: claude, runs })).toEqual(['ralph accept c', 'ralph status a', 'ralph status b']);
  });

  it('says what is here in one line each', () => {
    const facts: ProjectFacts = { ...NOTHING, agent: claude, checks: [{ command: 'npm run lint', from: 'package.json' }, npmTest], runs: [run({})] };
    expect(startScreen(facts)).toEqual([
      'Ralph runs a coding agent again and again until the work is proven done.',
      '',
      '  Agent   claude (from PATH)',
      '  Checks  npm run lint, npm test (from package.json)',
      '  Plan    none',
      '  Runs    20260101-000000-abcd (run) is active',
      '',
      'What you can do now:',
      '  ralph status 20260101-000000-abcd',
      '  ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"',
      '  ralph init',
      '',
      'All commands: ralph --help',
    ]);
  });
});
