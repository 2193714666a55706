import { describe, expect, it } from 'vitest';
import { answersFromFlags, type InitFlags } from './init.ts';
import { newSettings, settingsText } from './interview.ts';

const FOUND = { agents: ['codex', 'amp'], guardrails: [{ command: 'npm test', from: 'package.json' }] };

describe('init --yes', () => {
  it('uses the agent and the guardrails that it found', () => {
    expect(answersFromFlags({}, FOUND)).toMatchObject({ agent: { command: 'codex', from: 'PATH' }, guardrails: FOUND.guardrails });
  });

  it('prefers flags, and then uses only the guardrails given by flags', () => {
    const flags: InitFlags = {
      agent: 'my agent',
      flag: ['--a b', '-c'],
      check: ['make'],
      maxIterations: '3',
      completionResponse: 'OK',
      scm: 'commit, push',
    };
    const { answers, agent, guardrails } = answersFromFlags(flags, FOUND);
    expect([agent, guardrails]).toEqual([{ command: 'my agent', from: '--agent' }, [{ command: 'make', from: '--check' }]]);
    expect(newSettings(answers)).toEqual({
      $schema: './settings.schema.json',
      maximumIterations: 3,
      completionResponse: 'OK',
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      includeIterationCountInPrompt: false,
      agent: { command: 'my agent', flags: ['--a b', '-c'] },
      guardrails: [{ command: 'make', failAction: 'APPEND' }],
      scm: { command: 'git', tasks: ['commit', 'push'] },
    });
  });

  it('writes the settings in the order of the seed', () => {
    const keys = Object.keys(JSON.parse(settingsText(newSettings(answersFromFlags({ scm: 'commit' }, FOUND).answers))));
    expect(keys).toEqual([
      '$schema',
      'maximumIterations',
      'completionResponse',
      'outputTruncateChars',
      'streamAgentOutput',
      'includeIterationCountInPrompt',
      'agent',
      'guardrails',
      'scm',
    ]);
  });

  it.each<[InitFlags, string]>([
    [{ maxIterations: '0' }, 'maximumIterations must be a positive integer, got "0"'],
    [{ maxIterations: '' }, 'maximumIterations must be a positive integer, got ""'],
    [{ maxIterations: '1e3' }, 'maximumIterations must be a positive integer, got "1e3"'],
    [{ completionResponse: ' ' }, 'completionResponse must not be empty'],
    [{ agent: '' }, 'agent.command must not be empty'],
    [{ agent: "sh 'a" }, "There is an open ' in: sh 'a"],
    [{ flag: ['--say "a'] }, 'There is an open " in: --say "a'],
    [{ check: ['make', ''] }, 'guardrails[1].command must not be empty'],
    [{ scm: ' , ' }, '--scm needs at least one task'],
  ])('refuses %j', (flags, message) => {
    expect(() => newSettings(answersFromFlags(flags, FOUND).answers)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
  });

  it('refuses to start without an agent', () => {
    expect(() => answersFromFlags({}, { agents: [], guardrails: [] })).toThrow(
      expect.objectContaining({ message: 'no agent was found on PATH: claude, codex, amp, opencode, gemini', exitCode: 4 }),
    );
  });
});
