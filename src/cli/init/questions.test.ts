import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../../test/support/patience.ts';
import { questions } from './init-interactively.ts';
import { newSettings } from './interview.ts';

const NOTHING = { agents: [], guardrails: [] };

/** Plays the interview with these lines. Returns everything printed, and the answers if there were enough lines. */
function play(lines: readonly string[], found = NOTHING as Parameters<typeof questions>[0]) {
  const interview = questions(found);
  const printed: string[] = [];
  let step = interview.next('');
  for (const line of lines) {
    if (step.done) break;
    const { before, hint, prompt } = step.value;
    printed.push(...before, ...(hint === null ? [] : [hint]), prompt);
    step = interview.next(line);
  }
  return { printed, answers: step.done ? step.value : null };
}

const AGENT = 'Agent command (e.g., claude, codex, amp, or other LLM CLI): ';
const FLAGS = 'Agent flags (comma-separated, optional): ';
const ITERATIONS = 'Maximum iterations [10]: ';
const COUNT = 'Include iteration count in prompt [false]: ';
const GUARDRAIL = 'Add guardrail command (leave blank to finish): ';
const ACTION = '  Fail action (APPEND|PREPEND|REPLACE): ';

describe('the questions of init', () => {
  it('use the default for a blank answer', () => {
    expect(play(['claude', '', '', '', '', '', '', '']).answers).toEqual({
      agent: { command: 'claude', flags: [] },
      maximumIterations: 10,
      completionResponse: 'DONE',
      includeIterationCountInPrompt: false,
      guardrails: [],
      reviews: null,
      scm: null,
    });
  });

  it('accept an answer to every question', () => {
    const all = [
      'codex',
      ' a , b c,, ',
      '7',
      'OK',
      'Y',
      'make',
      'Replace',
      'Mind it.',
      '',
      'yes',
      '2',
      '0',
      'n',
      'safe',
      'Look.',
      '',
      'y',
      'hg',
      'commit, push',
    ];
    expect(play(all).answers).toEqual({
      agent: { command: 'codex', flags: ['a', 'b c'] },
      maximumIterations: 7,
      completionResponse: 'OK',
      includeIterationCountInPrompt: true,
      guardrails: [{ command: 'make', failAction: 'REPLACE', hint: 'Mind it.' }],
      reviews: { reviewAfter: 2, guardrailRetryLimit: 0, prompts: [{ name: 'safe', prompt: 'Look.' }] },
      scm: { command: 'hg', tasks: ['commit', 'push'] },
    });
  });

  it('keep the default review prompts unless the operator declines them', () => {
    expect(play(['a', '', '', '', '', '', 'y', '', '', '', 'n']).answers?.reviews).toEqual({ reviewAfter: 5, guardrailRetryLimit: 3 });
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['no agent', ['', 'x'], ['', AGENT, 'Agent command is required', AGENT]],
    ['an agent with an open quote', ["sh 'a", 'x'], ['', AGENT, "There is an open ' in: sh 'a", AGENT]],
    ['flags with an open quote', ['x', "--say 'a, b'", ''], ['', AGENT, FLAGS, "There is an open ' in: --say 'a", FLAGS]],
    ['a word instead of a number', ['x', '', 'ten', ''], ['', AGENT, FLAGS, ITERATIONS, 'Please enter a valid number', ITERATIONS]],
    ['a number with a fraction', ['x', '', '1.5', ''], ['', AGENT, FLAGS, ITERATIONS, 'Please enter a valid number', ITERATIONS]],
    ['a number that is too large', ['x', '', '9'.repeat(17), ''], ['', AGENT, FLAGS, ITERATIONS, 'Please enter a valid number', ITERATIONS]],
    ['zero', ['x', '', '0', ''], ['', AGENT, FLAGS, ITERATIONS, 'Must be greater than 0', ITERATIONS]],
    ['a negative number', ['x', '', '-3', ''], ['', AGENT, FLAGS, ITERATIONS, 'Must be greater than 0', ITERATIONS]],
  ])('repeat the question after %s', (_name, lines, printed) => {
    expect(play(lines).printed).toEqual(printed);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['true or false', ['maybe', 'true'], [COUNT, 'Please enter true/false or y/n', COUNT]],
    ['a fail action', ['', 'make', 'DELETE', 'prepend'], [ACTION, '  Please enter APPEND, PREPEND or REPLACE', ACTION]],
    ['yes or no', ['', '', 'sure', 'n'], ['Configure review cycles? (y/N): ', 'Please enter y or n', 'Configure review cycles? (y/N): ']],
    ['a retry limit', ['', '', 'y', '', '-1', '0'], ['  Guardrail retry limit [3]: ', '  Must not be negative', '  Guardrail retry limit [3]: ']],
    ['a review prompt', ['', '', 'y', '', '', 'n', 'safe', '', 'Look.'], ['    Prompt: ', '    Prompt is required', '    Prompt: ']],
    ['an SCM command', ['', '', '', 'y', '', 'git'], ['  SCM command (e.g., git): ', '  SCM command is required', '  SCM command (e.g., git): ']],
  ])('repeat the question until the answer is %s', (_name, lines, printed) => {
    expect(play(['x', '', '', '', ...lines]).printed.join('\n')).toContain(printed.join('\n'));
  });

  describe('where agents and checks were found', () => {
    const found = {
      agents: ['claude', 'amp'],
      guardrails: [
        { command: 'npm run lint', from: 'package.json' },
        { command: 'npm test', from: 'package.json' },
      ],
    };
    const appended = (command: string) => ({ command, failAction: 'APPEND' });

    it('take them by Enter', () => {
      const { printed, answers } = play(
        Array.from({ length: 9 }, () => ''),
        found,
      );
      expect(printed.slice(0, 3)).toEqual(['', 'Found on PATH: claude, amp (Enter takes claude)', AGENT]);
      const offer = printed.indexOf('Found: npm run lint, npm test (Enter takes them, none leaves them out)');
      expect(printed.slice(offer + 1, offer + 4)).toEqual([GUARDRAIL, 'Added: npm run lint, npm test', GUARDRAIL]);
      expect(answers).toMatchObject({ agent: { command: 'claude' }, guardrails: [appended('npm run lint'), appended('npm test')] });
    });

    it.each<[string, readonly string[], readonly object[]]>([
      ['others', ['make', '', '', 'make lint', '', '', ''], [appended('make'), appended('make lint')]],
      ['none of them', ['none', ''], []],
      ['others after none of them', ['none', 'make', '', '', ''], [appended('make')]],
      ['others besides them', ['', 'make', '', '', ''], [appended('npm run lint'), appended('npm test'), appended('make')]],
    ])('take %s if the operator says so', (_name, lines, guardrails) => {
      expect(play(['amp', '', '', '', '', ...lines, '', ''], found).answers).toMatchObject({ agent: { command: 'amp' }, guardrails });
    });
  });

  it('produce settings that a run accepts, whatever is typed', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('', 'y', 'n', 'claude', 'APPEND', '3', "'", 'a,b', '__proto__', 'constructor'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (lines) => {
        const { answers } = play(lines.map((line) => line.trim()));
        if (answers !== null) newSettings(answers);
      }),
      manyRuns(100),
    );
  });
});
