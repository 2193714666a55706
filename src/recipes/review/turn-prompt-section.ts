import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { codeSpan, fenced } from '../../kit/pure/markdown.ts';
import { promptBlock, promptLine, promptList } from '../shared/prompt-text.ts';
import { countAfterReview } from '../../plans/review/review-cap.ts';
import { turnOrders } from './turn-prompt-orders.ts';
import type { TurnPromptRequest } from './turn-prompt-request.ts';

/**
 * What holds for this one iteration, whatever the template says. A reviewer gets the story, the commits and the rules: nothing of what its author
 * has noted or said. What a person has decided is no author's word, so it is told to everybody.
 */
export function thisIteration(request: TurnPromptRequest): string {
  return [
    '## This iteration',
    ...about(request),
    criteria(request),
    checks(request),
    ...(request.turn.mode === 'review' ? [commits(request)] : []),
    ...reviewFeedback(request),
    ['What to do now:', ...turnOrders(request).map((order) => `- ${order}`)].join('\n'),
    ...answers(request),
    ...lastTry(request),
  ].join('\n\n');
}

function about({ turn: { mode, story }, iteration, maximum, spec }: TurnPromptRequest): readonly string[] {
  const count = maximum === 0 ? `Iteration ${iteration}` : `Iteration ${iteration} of ${maximum}`;
  const review = mode === 'review' ? ` This is its review ${countAfterReview(story.reviewCount, spec.cap)} of ${spec.cap}.` : '';
  const description = promptBlock(story.description);
  return [
    `${count}, mode ${codeSpan(mode)}, story ${codeSpan(promptLine(story.id))}: ${promptLine(story.title)}.${review}`,
    ...(description === '' ? [] : [fenced(description)]),
  ];
}

function criteria({ turn: { story } }: TurnPromptRequest): string {
  return ['Acceptance criteria:', ...story.acceptanceCriteria.map((criterion, index) => `${index + 1}. ${promptLine(criterion)}`)].join('\n');
}

function checks({ plan }: TurnPromptRequest): string {
  if (plan.verifyCommands.length === 0) return 'There are no verify commands: look for the tests of the project and run those.';
  return [
    'Verify commands, which the loop runs itself after you have ended; nothing counts while one of them is red:',
    ...promptList(plan.verifyCommands),
  ].join('\n');
}

/** Named exactly: what else is on the branch is not up for review. */
function commits({ turn: { ranges, story } }: TurnPromptRequest): string {
  const inTheirMessages = `git log --fixed-strings --grep=${shellQuote(`[${promptLine(story.id)}]`)}`;
  if (ranges.length === 0)
    return `The loop does not know which commits belong to this story. Look for them by their messages:\n\n${fenced(inTheirMessages, 'sh')}`;
  const commands = ranges.map(({ from, to }) => `git diff ${from}..${to}`);
  return `All changes of this story, and nothing else, are in:\n\n${fenced(commands.join('\n'), 'sh')}`;
}

function reviewFeedback({ turn: { mode, story } }: TurnPromptRequest): readonly string[] {
  if (mode !== 'review-fix') return [];
  return [`This is what the reviewer wants to be changed:\n\n${fenced(promptBlock(story.reviewFeedback))}`];
}

function answers({ turn }: TurnPromptRequest): readonly string[] {
  if (turn.answers.length === 0) return [];
  const told = turn.answers.map(({ question, answer }) => `Question:\n\n${fenced(promptBlock(question))}\n\nAnswer:\n\n${fenced(promptBlock(answer))}`);
  return [['A person has answered questions about this story. Keep to the answers; do not ask the same again.', ...told].join('\n\n')];
}

function lastTry({ turn: { feedback } }: TurnPromptRequest): readonly string[] {
  const text = promptBlock(feedback);
  return text === '' ? [] : [`The last turn of this story did not get through. This is why; see to it first:\n\n${fenced(text)}`];
}
