import { OperatorError } from '../../kit/pure/operator-error.ts';
import { DEFAULTS } from '../../settings/schema/settings-file.ts';
import { KNOWN_AGENTS } from '../../agents/find-agents.ts';
import type { Found } from './look-around.ts';
import type { Proposal } from './proposal.ts';
import type { InitFlags } from './init-flags.ts';
import type { Answers } from './new-settings.ts';
import { openQuoteIn, splitAtCommas } from './readings.ts';

/** Answers nobody typed, and where the agent and each guardrail come from. */
export interface UnaskedAnswers {
  readonly answers: Answers;
  readonly agent: Proposal;
  readonly guardrails: readonly Proposal[];
}

/** What flags say; what they leave open is taken from what was found, then from the defaults. */
export function answersFromFlags(flags: InitFlags, found: Found): UnaskedAnswers {
  const agent = chosenAgent(flags, found);
  const guardrails = flags.guardrail?.map((command) => ({ command, from: '--guardrail' })) ?? found.guardrails;
  for (const words of [agent.command, ...(flags.flag ?? [])]) refuseOpenQuote(words);
  const answers: Answers = {
    agent: { command: agent.command, flags: flags.flag ?? [] },
    maximumIterations: iterations(flags.maximumIterations ?? String(DEFAULTS.maximumIterations)),
    completionResponse: flags.completionResponse ?? DEFAULTS.completionResponse,
    includeIterationCountInPrompt: DEFAULTS.includeIterationCountInPrompt,
    guardrails: guardrails.map(({ command }) => ({ command, failAction: 'APPEND' })),
    reviews: null,
    scm: flags.scm === undefined ? null : { command: 'git', tasks: scmTasks(flags.scm) },
  };
  return { answers, agent, guardrails };
}

function chosenAgent({ agent }: InitFlags, { agents: [first] }: Found): Proposal {
  if (agent !== undefined) return { command: agent, from: '--agent' };
  if (first !== undefined) return { command: first, from: 'PATH' };
  throw new OperatorError('agent-not-found', `no agent was found on PATH: ${KNOWN_AGENTS.join(', ')}`, {
    hint: 'Install one, or name your own: ralph init --yes --agent "my-agent --quiet"',
    exitCode: 4,
  });
}

function iterations(word: string): number {
  const value = /^\d+$/.test(word) ? Number(word) : 0;
  if (value > 0) return value;
  throw usage(`maximumIterations must be a positive integer, got ${JSON.stringify(word)}`, 'For example: ralph init --yes -m 20');
}

function scmTasks(text: string): readonly string[] {
  const tasks = splitAtCommas(text);
  if (tasks.length === 0) throw usage('--scm needs at least one task', 'For example: ralph init --yes --scm commit,push');
  return tasks;
}

function refuseOpenQuote(words: string): void {
  const problem = openQuoteIn(words);
  if (problem !== null) throw usage(problem.again, 'Close it, or write a backslash before it.');
}

function usage(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
