import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import { type EventTable, lookUp } from '../../../journal/events/recipe-events.ts';
import type { StopRefused, StoriesSeen, StoriesSettled, TurnBegun } from '../../../journal/events/stories.ts';
import type { StoryMove } from '../../../journal/words/story.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import { lastIterationNumber } from '../../../limits/retry-policy.ts';
import { storyName } from '../../../plans/review/turn.ts';
import { attemptLines, emptyText, retryNumber } from '../../../report/console/attempt-lines.ts';
import { insteadLines } from '../../../report/console/effect-begun-lines.ts';
import type { GateFeed } from '../../../report/console/gates/gate-feed.ts';
import { noNoteText } from '../../../report/console/gates/proof-lines.ts';
import { blank, type Line, line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, shorten } from '../../../report/console/look.ts';
import type { RecipeFeed } from '../../../report/console/recipe-screen.ts';
import { firstOf } from '../../../report/console/work-lines.ts';
import type { StoriesSettings } from '../story-turn.ts';
import { storyPlanRows } from './stories-rows.ts';
import { ralphLine, storyIn } from './stories-text.ts';
import { recordedLines, turnClosedLines } from './stories-verdict-lines.ts';

type StoriesChange = Change<StoriesSettings>;

interface Means {
  readonly look: DisplaySettings;
  readonly gates: GateFeed;
}

/** The screen of a run on stories (seed 003), where it differs from that of any other run. */
export function openStoriesFeed(look: DisplaySettings, gates: GateFeed): RecipeFeed {
  return {
    linesFor: (body, change: StoriesChange) => lookUp(linesByType, body, change, { look, gates }) ?? null,
    hearProgress: () => null,
  };
}

/** For a list that is complete before any agent has worked on it. */
const provenAtRest: readonly Line[] = [blank, prose(span('Every story is finished already: running the checks once', 'accent'))];

/** Events that are missing here are shown as in any other run. */
const linesByType: EventTable<[change: StoriesChange, means: Means], readonly Line[] | null> = {
  'iteration.opened': ({ iteration }, change, { look }) => turnHeading(iteration, change, look),
  'iteration.closed': (body) => turnClosedLines(body),
  'effect.begun': ({ effect }) => {
    if (effect.kind === 'run-agent') return turnAgentLines(effect);
    return effect.kind === 'run-gates' && effect.where === 'start' ? provenAtRest : null;
  },
  'attempt.ended': (body, change, { look }) => turnEndedLines(body, change, look),
  'stories.seen': (body, change, { look }) => storiesSeenLines(body, change, look),
  'turn.begun': (body, change, { look }) => turnLines(body, change, look),
  'stories.settled': (body, _change, { look }) => turnSettledLines(body, look),
  'stories.recorded': (body, change, { look }) => recordedLines(body, change, look),
  'receipt.written': ({ why_no_note: why }, _change, { look }) => (why === undefined ? [] : [prose(span(`${look.glyphs.caution}${noNoteText(why)}`, 'busy'))]),
  'stop.refused': (body, _change, { look }) => stopAllowedLines(body, look),
};

const TEXT_CHARS = 300;
const MOST_EDITS = 20;

/** The list before the first turn; later only what a person changed in it, or that it cannot be read. */
function storiesSeenLines({ plan, changes }: StoriesSeen, change: StoriesChange, look: DisplaySettings): readonly Line[] {
  const { before, state } = change;
  if (plan === null) return troubleLines(change, look);
  const isFirst = before.stories.plan === null;
  return [
    ...(isFirst ? storyPlanRows(plan, state.run.settings, look) : []),
    ...firstOf(changes, MOST_EDITS).map((text) => prose(span(`${look.glyphs.step}Changed: ${shorten(text, TEXT_CHARS)}`, 'accent'))),
  ];
}

/** The list is read again and again, so a problem is shown only when it changes. */
function troubleLines({ before, state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const why = state.stories.planProblem?.why ?? '';
  if (why === before.stories.planProblem?.why) return [];
  return [prose(span(`${glyphs.warning}The stories cannot be worked on: ${shorten(why, TEXT_CHARS)}`, 'bad'), span(' (looking again)', 'dim'))];
}

/** A refused stop is not shown, until the agent is allowed to stop anyway. */
function stopAllowedLines({ reason, blocks, let_go }: StopRefused, { glyphs }: DisplaySettings): readonly Line[] {
  if (!let_go) return [];
  const often = blocks === 1 ? 'once' : `${blocks} times`;
  return [prose(span(`${glyphs.warning}The agent was kept from stopping ${often} and may stop now, although: ${shorten(reason, TEXT_CHARS)}`, 'busy'))];
}

const SETTLED_CHARS = 400;
const MOST_PATHS = 5;

/** The agent's edits of the list and of files it may not change: what counts, what was refused, and where the rest is kept. */
function turnSettledLines(body: StoriesSettled, look: DisplaySettings): readonly Line[] {
  const { glyphs } = look;
  const edits = (texts: readonly string[]) => firstOf(texts, MOST_EDITS).map((text) => shorten(text, SETTLED_CHARS));
  return [
    ...(body.problem === null ? [] : [prose(span(`${glyphs.cross}Git failed: ${shorten(body.problem, SETTLED_CHARS)}`, 'bad'))]),
    ...edits(body.accepted).map((text) => prose(span(`${glyphs.step}${text}`, 'dim'))),
    ...edits(body.refused).map((text) => prose(span(`${glyphs.warning}Refused: ${text}`, 'bad'))),
    ...undoneLines(body, look),
    ...(body.commit === null ? [] : [prose(span(`${glyphs.step}Committed by the loop as ${body.commit.slice(0, 7)}: leftovers and reverted changes`, 'dim'))]),
    ...(body.move === null ? [] : [prose(span(`${glyphs.step}${moveText(body.move)}`, 'dim'))]),
  ];
}

function undoneLines({ undone, kept }: StoriesSettled, { glyphs }: DisplaySettings): readonly Line[] {
  const paths = firstOf(
    undone.map((path) => shorten(path, SETTLED_CHARS)),
    MOST_PATHS,
  );
  return [
    ...(undone.length === 0 ? [] : [prose(span(`${glyphs.warning}Reverted: ${paths.join(', ')}`, 'bad'))]),
    ...(kept === null ? [] : [prose(span(`${glyphs.elbow}the agent's version is kept as ${shorten(kept, SETTLED_CHARS)}`, 'dim'))]),
  ];
}

function moveText({ story, to }: StoryMove): string {
  switch (to) {
    case 'implemented':
      return `${storyName(story)} is reported as implemented`;
    case 'approved':
      return `${storyName(story)} is approved by this reviewer`;
    case 'changes_requested':
      return `${storyName(story)} is sent back by this reviewer`;
    default:
      return assertNever(to);
  }
}

const TITLE_CHARS = 100;
const RULE_COLUMNS = 60;

/** A rule across the screen and `  Iteration 1 of 15` (seed 003), then the mode and the story. */
function turnHeading(iteration: number, { state }: Change, look: DisplaySettings): readonly Line[] {
  const maximum = lastIterationNumber(state);
  return [blank, rule(look), prose(span(`  Iteration ${iteration}${maximum === 0 ? '' : ` of ${maximum}`}`, 'accent'))];
}

function turnLines({ mode, story }: TurnBegun, { state }: StoriesChange, look: DisplaySettings): readonly Line[] {
  const spec = state.run.settings.stories;
  const { title = '', reviewCount = 0 } = storyIn(state, story) ?? {};
  const review = [
    `  Review: ${reviewCount + 1} of ${spec.reviewCap}`,
    ...(spec.reviewAgent ? [`  Agent: ${shorten(spec.reviewAgent.command, TITLE_CHARS)}`] : []),
  ];
  return [
    prose(span(`  Mode: ${mode}`)),
    prose(span(`  Story: ${storyName(story)}`), span(title === '' ? '' : `  ${shorten(title, TITLE_CHARS)}`, 'dim')),
    ...(mode === 'review' ? review.map((text) => prose(span(text))) : []),
    rule(look),
  ];
}

const rule = ({ glyphs }: DisplaySettings) => line(span(glyphs.rule.repeat(RULE_COLUMNS), 'dim'));

/** Which of several reviewers it is, or that the agent is retried. */
function turnAgentLines(effect: RunAgent): readonly Line[] {
  const { attempt, iteration, turn } = effect;
  const { number, of } = turn?.reviewer ?? { number: 1, of: 1 };
  if (of > 1) return [blank, prose(span(`Reviewer ${number} of ${of}`, 'accent'))];
  return attempt === 1 ? insteadLines(effect) : [blank, prose(span(`Attempt ${attempt} of iteration ${iteration}`, 'accent'))];
}

/** As in every run, but in the words of seed 003 where it has some. */
function turnEndedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  const again = body.verdict === 'empty' ? retryNumber(body, change.state) : null;
  const silent = body.role === 'review' ? [prose(span(emptyText(body), 'busy'))] : [];
  if (again !== null) return [blank, ...silent, ralphLine(`Empty response — retrying iteration ${body.iteration} (attempt ${again})`, 'busy')];
  const signal = body.claim?.by === 'promise' ? [ralphLine('Completion signal detected. Verifying tasks.json...')] : [];
  return [...attemptLines(body, change, look), ...signal];
}
