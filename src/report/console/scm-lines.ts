import { endingText } from '../../journal/ending-text.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { CommandEnded, CommitMade, CommitRefused } from '../../journal/events/scm.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { limitLines, whyText } from './attempt-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type Change, type DisplaySettings, effectBefore, openIn, shorten } from './look.ts';

const TEXT_CHARS = 300;

const SUBJECT_CHARS = 100;

const SHOWN_PATHS = 5;

export const messageAskedLines: readonly Line[] = [blank, prose(span('Asking the agent for a commit message…', 'dim'))];

/** The message itself is shown with its commit. Here: why there is none, and that the agent changed files although it was asked only for a message. */
export function messageEndedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  const none = body.verdict === 'ok' ? [] : [prose(span(`No commit message: ${whyText(body)}`, 'bad'))];
  const limit = body.verdict === 'limited' ? limitLines(body, change, look) : [];
  return [...touchedLines(body, change), ...none, ...limit];
}

function touchedLines({ iteration, tree }: AttemptEnded, { before, state }: Change): readonly Line[] {
  const isJudgedAgain = openIn(before, iteration)?.judged != null && openIn(state, iteration)?.judged === null;
  if (!isJudgedAgain) return [];
  const why = tree === null ? 'Whether the agent changed anything cannot be seen' : 'The agent changed files although it was asked only for a message';
  return [prose(span(`${why}: the checks run again.`, 'busy'))];
}

/** Announced because commit hooks may take long. */
export const commitBegunLines: readonly Line[] = [prose(span('Committing…', 'dim'))];

export function commitMadeLines(body: CommitMade, change: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const asked = effectBefore(change, body.key, 'commit');
  return [
    prose(span(`Committed ${commitText(body)}`, 'good')),
    ...leftOutLines(body.left_out, glyphs.warning),
    ...(asked && asked.tree !== body.tree ? [prose(span(`A commit hook has changed what is committed: the checks run again.`, 'busy'))] : []),
  ];
}

function leftOutLines(paths: readonly string[], mark: string): readonly Line[] {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => `${mark}Left out of the commit: ${shorten(path, TEXT_CHARS)}`);
  const hidden = paths.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${mark}and ${hidden} more`] : [])].map((text) => prose(span(text, 'busy')));
}

/** If an agent has changed nothing but files that were dirty before the start, there is no commit that could tell. */
export function changedDirtLines({ dirt, commit_tree, head_tree }: GatesJudged, { glyphs }: DisplaySettings): readonly Line[] {
  if (dirt === undefined || dirt.changed.length === 0 || commit_tree !== head_tree) return [];
  const names = dirt.changed.slice(0, SHOWN_PATHS).join(', ');
  const more = dirt.changed.length > SHOWN_PATHS ? ` and ${dirt.changed.length - SHOWN_PATHS} more` : '';
  return [
    prose(
      span(`${glyphs.warning}Nothing is committed: an agent has changed only what was dirty before the start: ${shorten(names, TEXT_CHARS)}${more}`, 'busy'),
    ),
  ];
}

/** `abc1234 Add the parser`. */
export function commitText({ commit, message }: { readonly commit: string; readonly message: string }): string {
  return `${commit.slice(0, 7)} ${shorten(message, SUBJECT_CHARS)}`;
}

export function commitRefusedLines({ iteration, reason, detail }: CommitRefused, { state }: Change): readonly Line[] {
  const isOver = openIn(state, iteration)?.scm.over ?? true;
  if (reason === 'changed' && !isOver) {
    return [prose(span(`Not committed: the working copy changed after the checks: they run again`, 'busy'))];
  }
  return [prose(span(`Not committed: ${shorten(detail, TEXT_CHARS)}`, 'bad'))];
}

export function commandBegunLines(argv: readonly string[]): readonly Line[] {
  return [prose(span(`SCM start: ${commandText(argv)}`))];
}

/** Like the lines of a guardrail; for a failure also its last line of output. */
export function commandEndedLines({ argv, ending, last_line, log }: CommandEnded, { glyphs }: DisplaySettings): readonly Line[] {
  const isGood = ending.kind === 'exited' && ending.code === 0;
  const end = prose(span(`SCM end: ${commandText(argv)} `), span(`(${endingText(ending)})`, isGood ? 'good' : 'bad'));
  if (isGood) return [end];
  const details = [shorten(last_line, TEXT_CHARS), log].filter(Boolean);
  return [end, ...details.map((detail) => prose(span(`${glyphs.elbow}${detail}`, 'dim')))];
}

export function commandText(argv: readonly string[]): string {
  return shorten(argv.map(shellQuote).join(' '), TEXT_CHARS);
}
