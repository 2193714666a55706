import type { PathsRestored, ReceiptWritten } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { gateWords, isStories, isWork, saysChecks } from './gate-lines.ts';
import { type Line, prose, span } from './line.ts';
import { hasBarePipe, type Look, row, shorten } from './look.ts';

const SHOWN_PATHS = 5;
const PATH_CHARS = 300;

/** Which protected paths were touched and are back, and where what the agent had made of them is kept. */
export function restoredLines({ paths, kept }: PathsRestored, { glyphs }: Look): readonly Line[] {
  if (paths.length === 0) return [];
  return [
    prose(span(`${glyphs.warning}Protected, and put back: ${listed(paths)}`, 'bad')),
    ...(kept === null ? [] : [prose(span(`${glyphs.elbow}the agent's version is kept as ${kept}`, 'dim'))]),
  ];
}

/** What the checks themselves have left there: tidied up, and held against nobody. */
export function tidiedLines(paths: readonly string[]): readonly Line[] {
  return paths.length === 0 ? [] : [prose(span(`The checks changed what is protected, and it was put back: ${listed(paths)}`, 'dim'))];
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => shorten(path, PATH_CHARS));
  const hidden = paths.length - shown.length;
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

export function specSeenLines({ path, obeyed }: Extract<EventBody, { type: 'spec.seen' }>, { glyphs }: Look): readonly Line[] {
  const means = obeyed ? 'It counts from now on.' : 'This run keeps what it was started with; --follow-spec would obey it.';
  return [prose(span(`${glyphs.warning}${shorten(path, PATH_CHARS)} was changed. ${means}`, 'busy'))];
}

/** Where the proof of the result is, and how to look at it. */
export function receiptText({ file, commit }: Pick<ReceiptWritten, 'file' | 'commit'>): string {
  return commit === null ? file : `note of commit ${commit.slice(0, 7)} (ralph verify ${commit.slice(0, 7)})`;
}

const SHOWN_GATES = 5;
const COMMAND_CHARS = 300;

/** What decides whether the run is done: the gates, and the word the agent has to say. */
export function proofRows(settings: RunSettings): readonly Line[] {
  const { gates } = settings;
  const { many } = gateWords({ settings });
  if (isWork({ settings }) && gates.length === 0) return [doneWhen(settings)];
  if (isStories({ settings }) && gates.length === 0) return [row(many, span('none', 'bad'), ...noCheckSpans(settings)), doneWhen(settings)];
  if (gates.length === 0) {
    const add = saysChecks({ settings }) ? '--check' : '--guardrail';
    return [row(many, span('none', 'bad')), row('done when', ...claimed(settings), span(`. UNPROVEN: nothing checks its word; add ${add} "npm test"`, 'busy'))];
  }
  const shown = gates.slice(0, SHOWN_GATES).flatMap(({ command }, index) => gateRows(command, index === 0 ? many : ''));
  const hidden = gates.length - SHOWN_GATES;
  return [...shown, ...(hidden > 0 ? [row('', span(`and ${hidden} more`, 'dim'))] : []), doneWhen(settings)];
}

function noCheckSpans({ stories }: RunSettings) {
  const proof = stories?.skipReview ? 'UNPROVEN: nothing checks a story' : 'only its review proves a story';
  return [span(`. ${proof}; add verifyCommands to tasks.json, or --check "npm test"`, 'busy')];
}

function gateRows(command: string, label: string): readonly Line[] {
  const note = hasBarePipe(command) ? [row('', span("  a pipe's exit code is its last command's", 'dim'))] : [];
  return [row(label, span(shorten(command, COMMAND_CHARS), 'strong')), ...note];
}

function doneWhen(settings: RunSettings): Line {
  const { gates, loop } = settings;
  const { one, many } = gateWords({ settings });
  if (isWork({ settings }))
    return row('done when', ...claimed(settings), span(` and ${gates.length === 0 ? 'its own checks' : `its own ${many} and these`} are green`));
  if (isStories({ settings })) return row('done when', ...claimed(settings), span(storiesProof(settings)));
  const green = `${gates.length === 1 ? `the ${one} is` : `all ${many} are`} green`;
  if (loop?.requireTag === 'never') return row('done when', span(green));
  const orTwice = loop?.requireTag === 'auto' ? ', or without a word in two iterations in a row' : '';
  return row('done when', ...claimed(settings), span(` and ${green}${orTwice}`));
}

function storiesProof({ gates }: RunSettings): string {
  return gates.length === 0 ? ', and all is committed' : ', every check is green on it, and all is committed';
}

function claimed({ claims, recipe, supervise, stories }: RunSettings) {
  if (recipe === 'job') return [span('the agent ends well')];
  if (recipe === 'work') return [span('a task is said to be complete ('), span('ralph task complete', 'strong'), span(')')];
  if (stories) return [span('every story '), span(stories.skipReview ? 'passes' : 'passes and is approved', 'strong')];
  if (supervise) return [span('the task folder has a file '), span('DONE', 'strong')];
  return [span('the agent answers '), span([...new Set(claims.map((claim) => claim.word))].join(' or '), 'strong')];
}
