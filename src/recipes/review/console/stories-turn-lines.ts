import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { TurnBegun } from '../../../journal/events/stories.ts';
import { lastNumber } from '../../../journal/last-number.ts';
import { storyName } from '../../../plans/review/story-name.ts';
import { againOf, attemptLines } from '../../../report/console/attempt-lines.ts';
import type { Change } from '../../../report/console/change.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { blank, type Line, line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { ralphLine, storyIn } from './stories-words.ts';

const TITLE_CHARS = 100;
const RULE_COLUMNS = 60;

/** A rule across the screen and `  Iteration 1 of 15` (seed 003); what it is about follows. */
export function turnHeading(iteration: number, { state }: Change, look: Look): readonly Line[] {
  const maximum = lastNumber(state);
  return [blank, rule(look), prose(span(`  Iteration ${iteration}${maximum === 0 ? '' : ` of ${maximum}`}`, 'accent'))];
}

export function turnLines({ mode, story }: TurnBegun, { state }: Change, look: Look): readonly Line[] {
  const spec = state.run?.settings.stories;
  const { title = '', reviewCount = 0 } = storyIn(state, story) ?? {};
  const review = [
    `  Review: ${reviewCount + 1} of ${spec?.reviewCap ?? 0}`,
    ...(spec?.reviewAgent ? [`  Agent: ${shorten(spec.reviewAgent.command, TITLE_CHARS)}`] : []),
  ];
  return [
    prose(span(`  Mode: ${mode}`)),
    prose(span(`  Story: ${storyName(story)}`), span(title === '' ? '' : `  ${shorten(title, TITLE_CHARS)}`, 'dim')),
    ...(mode === 'review' ? review.map((text) => prose(span(text))) : []),
    rule(look),
  ];
}

const rule = ({ glyphs }: Look) => line(span(glyphs.rule.repeat(RULE_COLUMNS), 'dim'));

/** Which of several reviewers it is, or that the same one is asked again. */
export function turnAgentLines({ attempt, iteration, turn }: RunAgent): readonly Line[] {
  const { number, of } = turn?.reviewer ?? { number: 1, of: 1 };
  if (of > 1) return [blank, prose(span(`Reviewer ${number} of ${of}`, 'accent'))];
  return attempt === 1 ? [] : [blank, prose(span(`Attempt ${attempt} of iteration ${iteration}`, 'accent'))];
}

/** As everywhere, and in the words of seed 003 where it has any. */
export function turnEndedLines(body: AttemptEnded, change: Change, look: Look): readonly Line[] {
  const again = body.verdict === 'empty' ? againOf(body, change.state) : null;
  if (again !== null) return [blank, ralphLine(`Empty response — retrying iteration ${body.iteration} (attempt ${again})`, 'busy')];
  const signal = body.claim?.by === 'promise' ? [ralphLine('Completion signal detected. Verifying tasks.json...')] : [];
  return [...attemptLines(body, change, look), ...signal];
}
