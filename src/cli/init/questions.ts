import { DEFAULTS, DEFAULTS_ONCE_ASKED_FOR } from '../../settings/schema/settings-file.ts';
import type { Found } from './look-around.ts';
import { ask, type Interview } from './interview.ts';
import type { Answers, NewGuardrail } from './new-settings.ts';
import { anyText, commaList, commandLine, countOr, failAction, flagList, positiveOr, required, textOr, trueOr, yesOr } from './readings.ts';

const { maximumIterations, completionResponse, includeIterationCountInPrompt } = DEFAULTS;
const defaultReviews = DEFAULTS_ONCE_ASKED_FOR.reviews;

/** Every question of seed 001 in its words and order, and those its tool has grown since: the iteration count and review cycles. */
export function* questions(found: Found): Interview<Answers> {
  const command = yield* ask('Agent command (e.g., claude, codex, amp, or other LLM CLI): ', commandLine('Agent command'), {
    before: [''],
    hint: foundLine('Found on PATH', found.agents),
  });
  const flags = yield* ask('Agent flags (comma-separated, optional): ', flagList);
  return {
    agent: { command, flags },
    maximumIterations: yield* ask(`Maximum iterations [${maximumIterations}]: `, positiveOr(maximumIterations)),
    completionResponse: yield* ask(`Completion response [${completionResponse}]: `, textOr(completionResponse)),
    includeIterationCountInPrompt: yield* ask(`Include iteration count in prompt [${includeIterationCountInPrompt}]: `, trueOr(includeIterationCountInPrompt)),
    guardrails: yield* guardrails(found),
    reviews: (yield* ask('Configure review cycles? (y/N): ', yesOr(false))) ? yield* reviews() : null,
    scm: (yield* ask('Configure SCM? (y/N): ', yesOr(false))) ? yield* scm() : null,
  };
}

function* guardrails({ guardrails: proposals }: Found): Interview<readonly NewGuardrail[]> {
  const added: NewGuardrail[] = [];
  const offer = proposals.map((proposal) => proposal.command);
  for (;;) {
    const hint = added.length === 0 ? foundLine('Found', offer) : null;
    const command = yield* ask('Add guardrail command (leave blank to finish): ', anyText, { hint });
    if (command === '') return added;
    added.push(yield* guardrail(command));
  }
}

function* guardrail(command: string): Interview<NewGuardrail> {
  const action = yield* ask('  Fail action (APPEND|PREPEND|REPLACE): ', failAction);
  const hint = yield* ask('  Hint (optional, guidance for agent on failure): ', anyText);
  return { command, failAction: action, ...(hint === '' ? {} : { hint }) };
}

function* reviews(): Interview<Answers['reviews']> {
  const reviewAfter = yield* ask(`  Review after iterations [${defaultReviews.reviewAfter}]: `, positiveOr(defaultReviews.reviewAfter));
  const guardrailRetryLimit = yield* ask(`  Guardrail retry limit [${defaultReviews.guardrailRetryLimit}]: `, countOr(defaultReviews.guardrailRetryLimit));
  if (yield* ask('  Use default review prompts? [Y/n]: ', yesOr(true))) return { reviewAfter, guardrailRetryLimit };
  return { reviewAfter, guardrailRetryLimit, prompts: yield* reviewPrompts() };
}

function* reviewPrompts(): Interview<{ name: string; prompt: string }[]> {
  const prompts: { name: string; prompt: string }[] = [];
  for (;;) {
    const name = yield* ask('  Add review name (leave blank to finish): ', anyText);
    if (name === '') return prompts;
    prompts.push({ name, prompt: yield* ask('    Prompt: ', required('Prompt')) });
  }
}

function* scm(): Interview<Answers['scm']> {
  const command = yield* ask('  SCM command (e.g., git): ', commandLine('SCM command'));
  return { command, tasks: yield* ask('  SCM tasks (comma-separated, e.g., commit,push): ', commaList) };
}

/** Null where nothing was found. */
function foundLine(what: string, found: readonly string[]): string | null {
  return found.length === 0 ? null : `${what}: ${found.join(', ')}`;
}
