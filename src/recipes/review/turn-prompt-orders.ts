import { assertNever } from '../../kit/pure/assert-never.ts';
import { codeSpan } from '../../kit/pure/markdown.ts';
import { promptLine } from '../shared/prompt-text.ts';
import { AT_CAP, countAfterReview, isLastReview } from '../../plans/review/review-cap.ts';
import type { TurnPromptRequest } from './turn-prompt-request.ts';

/** What is to be done in this mode, a sentence or two for each line. */
export function turnOrders(request: TurnPromptRequest): readonly string[] {
  const { mode } = request.turn;
  switch (mode) {
    case 'implement':
      return request.spec.skipReview ? implementUnreviewed(request) : implement(request);
    case 'review':
      return [...review(request), ...(request.turn.reviewer.of > 1 ? oneOfSeveral(request) : verdictCommit(request))];
    case 'review-fix':
      return fix(request);
    default:
      return assertNever(mode);
  }
}

const isLast = ({ turn, spec }: TurnPromptRequest) => isLastReview(turn.story.reviewCount, spec.cap);
const idOf = ({ turn }: TurnPromptRequest) => promptLine(turn.story.id);
const formOf = ({ spec }: TurnPromptRequest) => codeSpan(promptLine(spec.plan));
const commitAll = (message: string) => `Commit everything with the message ${codeSpan(message)}, then end.`;
const title = (request: TurnPromptRequest) => `feat: [${idOf(request)}] - ${promptLine(request.turn.story.title)}`;

function implement(request: TurnPromptRequest): readonly string[] {
  return [
    'Implement this story and no other. Meet every acceptance criterion, run the verify commands, and read your own diff before you commit.',
    `In ${formOf(request)} set its \`reviewStatus\` to \`"needs_review"\` and write into its \`notes\` what was done.`,
    'Leave its `passes` false and its `reviewCount` as it is: a review in a fresh context decides.',
    commitAll(title(request)),
  ];
}

function implementUnreviewed(request: TurnPromptRequest): readonly string[] {
  return [
    'Implement this story and no other. Meet every acceptance criterion, run the verify commands, and read your own diff before you commit.',
    `Reviews are skipped in this run: when the verify commands are green, set its \`passes\` to true in ${formOf(request)} and write into its \`notes\` what was done.`,
    'Leave its `reviewStatus` and its `reviewCount` as they are.',
    commitAll(title(request)),
  ];
}

function fix(request: TurnPromptRequest): readonly string[] {
  return [
    'Answer every point of the feedback above, and work on no other story. Run the verify commands, and read your own diff before you commit.',
    `In ${formOf(request)} set its \`reviewStatus\` to \`"needs_review"\`, its \`reviewFeedback\` to \`""\`, and add to its \`notes\` what was done.`,
    'Leave its `passes` false and its `reviewCount` as it is: it is reviewed once more in a fresh context.',
    commitAll(`fix: [${idOf(request)}] - address review feedback`),
  ];
}

function review(request: TurnPromptRequest): readonly string[] {
  const { turn, spec } = request;
  const count = countAfterReview(turn.story.reviewCount, spec.cap);
  return [
    `Review what others have done. Change nothing ${spec.folder === '.' ? `but ${formOf(request)}` : `outside of ${codeSpan(promptLine(`${spec.folder}/`))}`}: such a change is undone, and your verdict does not count.`,
    `Hold every acceptance criterion against the code, and run the verify commands. In ${formOf(request)} set its \`reviewCount\` to ${count}, then give your verdict:`,
    'All is met and nothing is wrong: `reviewStatus` `"approved"`, `passes` true.',
    isLast(request)
      ? `Something is wrong: this is the last review, so set \`reviewStatus\` to \`"approved"\` and \`passes\` to true all the same, and write into \`reviewFeedback\` what is wrong, beginning with \`${AT_CAP}\`.`
      : 'Something is wrong: `reviewStatus` `"changes_requested"`, `passes` false, and in `reviewFeedback` what has to change, and where.',
  ];
}

function verdictCommit(request: TurnPromptRequest): readonly string[] {
  const id = idOf(request);
  const other = isLast(request) ? 'auto-approved at cap' : 'changes requested';
  return [`Commit that with the message ${codeSpan(`review: [${id}] - approved`)} or ${codeSpan(`review: [${id}] - ${other}`)}, then end.`];
}

/** They all have to find the same; the loop brings their verdicts together. */
function oneOfSeveral(request: TurnPromptRequest): readonly string[] {
  const { number, of } = request.turn.reviewer;
  return [
    `You are reviewer ${number} of ${of}, each on their own. Do not commit, whatever is said above, and leave nothing changed but ${formOf(request)}: the loop commits the verdict of all.`,
  ];
}
