import { assertNever } from '../../../kit/pure/assert-never.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { BaseBrought, MergeJudged } from '../../../journal/events/work.ts';
import { endingText } from '../../../journal/ending-text.ts';
import { firstTellingLine } from '../../../kit/pure/first-telling-line.ts';
import type { Change } from '../../../report/console/change.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import type { Line } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { plural } from '../../../report/console/spent-text.ts';
import { detail, firstOf, step } from '../../../report/console/work-lines.ts';
import { baseOf, idText } from '../../../report/console/work-words.ts';

const TEXT_CHARS = 300;
const COMMAND_CHARS = 100;
const MOST_SHOWN = 5;

export function mergingLines({ state }: Change, { glyphs }: Look): readonly Line[] {
  return [step(`${glyphs.step}Merging into ${baseOf(state)}...`, 'dim')];
}

/** Whether the work is on the base now, and if not, what stands in its way and where it is kept. */
export function mergeLines(body: MergeJudged, { state }: Change, { glyphs }: Look): readonly Line[] {
  const base = baseOf(state);
  switch (body.result) {
    case 'merged':
      return mergedLines(body, base, glyphs);
    case 'red':
      return [step(`${glyphs.cross}Not merged: ${redText(body)}`, 'bad'), ...redLines(body), ...keptLines(body)];
    case 'conflict':
      return [step(`${glyphs.cross}Conflict with ${base}: ${pathsText(body.conflicts)}`, 'bad'), ...keptLines(body)];
    case 'moved':
      return [step(`${glyphs.step}${base} has moved meanwhile, merging again`, 'busy')];
    case 'failed':
      return [step(`${glyphs.cross}Merge failed: ${shorten(body.detail, TEXT_CHARS)}`, 'bad'), ...keptLines(body)];
    default:
      return assertNever(body.result);
  }
}

function mergedLines(
  { commit, left_behind, unlocked, detail: note }: MergeJudged,
  base: string,
  { tick, caution, step: mark }: Look['glyphs'],
): readonly Line[] {
  return [
    step(`${tick}Merged into ${base}${commit === null ? '' : ` (${commit.slice(0, 7)})`}`, 'good'),
    ...(note === '' ? [] : [step(`${caution}${shorten(note, TEXT_CHARS)}`, 'busy')]),
    ...(left_behind === null ? [] : [step(`${caution}Your ${base} does not follow: ${shorten(left_behind, TEXT_CHARS)}`, 'busy')]),
    ...firstOf(
      unlocked.map((id) => `${idText(id)} is now ready`),
      MOST_SHOWN,
    ).map((text) => step(`${mark}${text}`, 'dim')),
  ];
}

function redText({ results, missing, detail: why }: MergeJudged): string {
  const red = results.filter(({ green }) => !green).length;
  const parts = [
    ...(red === 0 ? [] : [`${red} of ${plural(results.length, 'check')} red on the merged result`]),
    ...(missing.length === 0 ? [] : [`${plural(missing.length, 'declared output')} not there`]),
  ];
  return parts.length === 0 ? shorten(why, TEXT_CHARS) : parts.join(', ');
}

function redLines({ results, missing }: MergeJudged): readonly Line[] {
  return [...firstOf(missing, MOST_SHOWN).map((text) => detail(shorten(text, TEXT_CHARS))), ...tellingLines(results)];
}

/** Each red check with the line that says most of what is wrong. */
export function tellingLines(results: readonly GateResult[]): readonly Line[] {
  const red = results.filter(({ green }) => !green);
  return firstOf(red.map(tellingText), MOST_SHOWN).map(detail);
}

function tellingText({ gate, ending, output }: GateResult): string {
  const line = firstTellingLine(output);
  return `${shorten(gate.command, COMMAND_CHARS)} (${endingText(ending)})${line === '' ? '' : `: ${line}`}`;
}

function pathsText(paths: readonly string[]): string {
  return firstOf(
    paths.map((path) => shorten(path, COMMAND_CHARS)),
    MOST_SHOWN,
  ).join(', ');
}

function keptLines({ kept }: MergeJudged): readonly Line[] {
  return kept === null ? [] : [detail(`kept as ${shorten(kept, TEXT_CHARS)}`)];
}

export function broughtLines({ conflicts, problem }: BaseBrought, { state }: Change, { glyphs }: Look): readonly Line[] {
  const base = baseOf(state);
  if (problem !== null) return [step(`${glyphs.cross}${base} could not be brought into the worktree: ${shorten(problem, TEXT_CHARS)}`, 'bad')];
  const what = conflicts.length === 0 ? 'nothing conflicts any more' : `to be resolved: ${pathsText(conflicts)}`;
  return [step(`${glyphs.step}${base} is in the worktree now, ${what}`, 'busy')];
}
