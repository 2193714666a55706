import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../src/agents/agent-definition.ts';
import { attemptVerdict } from '../../src/agents/attempt/attempt-summary.ts';
import { commitMessage } from '../../src/agents/attempt/commit-message.ts';
import { definitionFor } from '../../src/agents/find-definition.ts';
import { openAttemptOutput } from '../../src/agents/run-agent/attempt-output.ts';
import { formatDuration, formatTokenCount } from '../../src/kit/pure/amounts.ts';
import { slug, truncateCodePoints } from '../../src/kit/pure/text.ts';
import { splitLines } from '../../src/process/lines.ts';
import { buildPrompt } from '../../src/recipes/run/prompt.ts';
import { shorten } from '../../src/report/console/look.ts';
import { loadSettings } from '../../src/settings/load-settings.ts';
import { ends, turn } from '../support/claude-script.ts';
import { judgedGates } from '../support/judged-gates.ts';
import { hearLines, recordedAt } from '../support/recorded-streams.ts';
import { iterationsOf, openStage } from '../support/stage.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

// Observed behaviour of the program that the seed describes; another file covers its screen. If it was wrong, the row says what Ralph does instead.

const idles = turn(...ends('Not there yet.'));
const cut = (text: string, limit: number) => truncateCodePoints(text, limit, '... [truncated]');
const count = (failures: Parameters<typeof buildPrompt>[0]['failures']) =>
  buildPrompt({ base: 'base prompt', failures, iteration: 3, maximum: 10, includeCount: true, answers: [] });

describe('names, cuts and counts', () => {
  it.each<[fact: string, here: unknown, expected: unknown]>([
    ['slug of words', slug('make test'), 'make_test'],
    ['slug of a path and flags', slug('./mvnw clean install -T 2C'), 'mvnw_clean_install_T_2C'],
    ['slug of a colon', slug('npm run test:unit'), 'npm_run_test_unit'],
    ['slug within lines', slug('___test___'), 'test'],
    ['slug within signs', slug('@#$test@#$'), 'test'],
    [
      'slug of 78 characters',
      slug('this_is_a_very_long_command_that_should_be_truncated_because_it_exceeds_limits'),
      'this_is_a_very_long_command_that_should_be_truncat',
    ],
    ['a cut', cut('this is a longer output that needs to be truncated', 20), 'this is a longer out... [truncated]'],
    ['no cut at the limit', cut('exact', 5), 'exact'],
    ['no cut at 0', cut('text', 0), 'text'],
    ['no cut at -1', cut('text', -1), 'text'],
    ['cut at bytes; here at characters', cut('🙂🙂🙂', 2), '🙂🙂... [truncated]'],
    ['the count', count([]), 'Iteration 3 of 10, 7 remaining.\n\nbase prompt'],
    ['the count above a failure', count([{ action: 'PREPEND', check: '', message: 'failure' }]), 'Iteration 3 of 10, 7 remaining.\n\nfailure\n\nbase prompt'],
    ['few tokens', [0, 999].map(formatTokenCount), ['0', '999']],
    ['thousands of tokens, half to even', [1000, 1500, 2500, 25_000, 999_999].map(formatTokenCount), ['1K', '2K', '2K', '25K', '1000K']],
    ['millions of tokens', [1_000_000, 1_234_567].map(formatTokenCount), ['1.0M', '1.2M']],
    ['durations', [59, 60, 61, 120, 367].map((seconds) => formatDuration(seconds * 1000)), ['59s', '1m', '1m1s', '2m', '6m7s']],
    ['a shortened input', shorten('this is a longer string', 10), 'this is...'],
    ['the first line of an input', shorten('first\nsecond', 20), 'first'],
  ])('%s', (_fact, here, expected) => {
    expect(here).toEqual(expected);
  });
});

/** Whether an attempt that exits with 0 counts as complete. */
function heard(agent: AgentDefinition, lines: readonly (object | string)[]): { readonly verdict: string; readonly isComplete: boolean } {
  const parser = agent.openParser(recordedAt);
  const hearing = openAttemptOutput({ prompt: 'Do it.', speaks: agent.outputFormat, claims: [{ kind: 'response', word: 'DONE' }] });
  const events = [...lines.flatMap((line) => parser.line(typeof line === 'string' ? line : JSON.stringify(line))), ...parser.end(true)];
  for (const event of events) hearing.hear(event);
  const verdict = attemptVerdict(hearing.summary, { kind: 'exited', code: 0 });
  return { verdict, isComplete: verdict === 'ok' && hearing.claim() !== null };
}

describe('completion', () => {
  const [claude, codex, plain] = ['claude', 'codex', 'my-agent'].map(definitionFor) as [AgentDefinition, AgentDefinition, AgentDefinition];
  const result = (text: string) => ({ type: 'result', subtype: 'success', is_error: false, result: text });
  const message = (text: string) => ({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });

  it.each<[fact: string, agent: AgentDefinition, lines: (object | string)[], isComplete: boolean]>([
    ['the word after a sentence was complete; here it stands alone', claude, [result('Task completed successfully. DONE')], false],
    ['in lower case too', claude, [result('All tasks finished. done')], false],
    ['any end of a word was complete; here no other word is', claude, [result('The old API is abandone')], false],
    ['NOT DONE was complete; here it is not', claude, [result('NOT DONE')], false],
    ['the word as the last line', claude, [result('Task completed successfully.\nDONE')], true],
    ['the word in a sentence', claude, [result("I'm not DONE yet, more work needed")], false],
    ['a tag was nothing; here it is what the seed says', claude, [result('<response>DONE</response>')], true],
    ['the last of two results', claude, [result('Not yet.'), result('DONE')], true],
    ['not the first of two', claude, [result('DONE'), result('Not yet.')], false],
    ['plain text was never complete; here it is heard', plain, ['Working.', 'DONE'], true],
    ['plain text in the middle', plain, ['DONE', 'Well, almost.'], false],
    ['codex without an end of its turn', codex, [message('DONE')], false],
    ['codex with it', codex, [message('DONE'), { type: 'turn.completed' }], true],
    ['codex without a word', codex, [{ type: 'turn.completed' }], false],
  ])('%s', (_fact, agent, lines, isComplete) => {
    expect(heard(agent, lines).isComplete).toBe(isComplete);
  });

  it('of a silent codex was an empty answer; here Ralph retries', () => {
    expect(heard(codex, [{ type: 'turn.completed' }]).verdict).toBe('empty');
  });
});

describe('the response and the commit message', () => {
  it.each<[fact: string, said: string, message: string | null]>([
    ['a tag in capitals', '<RESPONSE>done</RESPONSE>', 'done'],
    ['the first of two tags', '<response>one</response><response>two</response>', 'one'],
    ['a tag over lines', '<response>one\ntwo</response>', 'one\ntwo'],
    ['an empty tag was a message; here it is none', '<response></response>', null],
    ['the first line that says something', '\n\nUpdate dependencies\nMore', 'Update dependencies'],
    ['a tag before the first line', 'Here it is:\n<response>Add a parser</response>', 'Add a parser'],
    ['white space', ' \n\t', null],
  ])('%s', (_fact, said, message) => {
    expect(commitMessage(said)).toBe(message);
  });
});

describe('a stream', () => {
  it('that comes in pieces is joined; an empty piece and a second end are ignored', () => {
    const lines: string[] = [];
    const splitter = splitLines(1000, (line) => lines.push(line));
    for (const piece of ['{"ty', '', 'pe":1}\n{"b"', ':2}']) splitter.push(Buffer.from(piece));
    splitter.end();
    splitter.end();
    expect(lines).toEqual(['{"type":1}', '{"b":2}']);
  });

  it('counts and skips a line that is not JSON or has an unknown type', () => {
    const { events, summary } = hearLines(definitionFor('claude'), ['{"type":', '{"type":"brand_new"}', '{"type":"result","is_error":false,"result":"DONE"}']);
    expect(summary).toMatchObject({ unknownLines: 2, text: 'DONE', terminal: { ok: true } });
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['raw', 'raw']);
  });
});

describe('settings', () => {
  const wrong = {
    maximumIterations: '{"maximumIterations": "10"}',
    completionResponse: '{"completionResponse": 1}',
    outputTruncateChars: '{"outputTruncateChars": "5000"}',
    streamAgentOutput: '{"streamAgentOutput": "yes"}',
    includeIterationCountInPrompt: '{"includeIterationCountInPrompt": 1}',
    agent: '{"agent": "claude"}',
    'agent.command': '{"agent": {"command": 1}}',
    'agent.flags': '{"agent": {"flags": "--verbose"}}',
    guardrails: '{"guardrails": {}}',
    scm: '{"scm": []}',
    'scm.tasks': '{"scm": {"tasks": "commit"}}',
  };
  const load = async (local: string | null) => {
    await using folder = await openThrowAwayFolder();
    const file = join(folder.path, '.ralph', 'settings.local.json');
    await mkdir(local === null ? file : join(folder.path, '.ralph'), { recursive: true });
    if (local !== null) await writeFile(file, local);
    return await loadSettings(folder.path);
  };

  it.each(Object.entries(wrong))('of a wrong type are refused with the key %s', async (key, local) => {
    await expect(load(local)).rejects.toThrow(`: ${key} must be `);
  });

  it.each([
    ['a directory', null, 'it is a directory'],
    ['no JSON', '{', 'failed to load settings: .ralph/settings.local.json: '],
  ])('that are %s are refused', async (_fact, local, says) => {
    await expect(load(local)).rejects.toThrow(says);
  });
});

describe('an agent by its name', () => {
  it.each([
    ['claude.exe', 'claude'],
    ['/usr/local/bin/claude', 'claude'],
    ['my-agent', 'command'],
  ])('%s is %s', (command, name) => {
    expect(definitionFor(command).name).toBe(name);
  });

  it('gets no flags from Ralph if it is unknown', () => {
    const spec = {
      output: 'events',
      autonomy: 'full',
      model: null,
      budgetUsd: null,
      asRoot: false,
      insideGit: true,
      isSandboxed: false,
      env: {},
      promptFile: '/prompt.md',
      cwd: '/',
      judges: false,
    } as const;
    expect(definitionFor('my-agent').call({ ...spec, flags: ['--own'] }, null).args).toEqual(['--own']);
  });
});

describe.concurrent('guardrails and reviews', () => {
  it('have separate logs for three of the same name, with the exit code', async () => {
    const commands = ['make test', 'make  test', 'make "test"', 'exit 42'];
    await using stage = await openStage([idles], { gate: null, settings: { guardrails: commands.map((command) => ({ command })) } });
    const [results = []] = judgedGates(await stage.run('-m', '1'));
    expect(results.slice(0, 3).map(({ log }) => log)).toEqual(['', '_1', '_2'].map((twin) => `.ralph/guardrail_001_make_test${twin}.log`));
    expect(results[3]?.ending).toEqual({ kind: 'exited', code: 42 });
  });

  it.each([
    { fact: 'that fails twice is retried twice', limit: 5, red: '-ge 2 -a $n -le 3', reviews: 3, iteration: 'green' },
    { fact: 'that always fails is not retried at limit 0', limit: 0, red: '-ge 2', reviews: 1, iteration: 'red' },
  ])('a review $fact', async ({ limit, red, reviews, iteration }) => {
    const gate = `n=$(($(cat ../beside/n 2>/dev/null || echo 0) + 1)); echo $n > ../beside/n; ! [ $n ${red} ]`;
    const settings = { reviews: { reviewAfter: 1, guardrailRetryLimit: limit, prompts: [{ name: 'detailed', prompt: 'Look closely.' }] } };
    await using stage = await openStage([idles], { gate, settings });
    const run = await stage.run('-m', '1');
    expect(stage.calls().filter(({ prompt }) => prompt.startsWith('Look closely.'))).toHaveLength(reviews);
    expect(iterationsOf(run)).toEqual([iteration]);
  });
});
