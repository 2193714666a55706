import type { ClaimAllowed, LivingFound, PathsRestored, ProofJudged, ReceiptWritten, SealedJudged } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { MOST_SEALED_RUNS } from '../../journal/words/proof.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { gateWords, isStories, isWork, saysChecks } from './gate-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type DisplaySettings, hasBarePipe, row, shorten } from './look.ts';

const SHOWN_PATHS = 5;
const PATH_CHARS = 300;

/** Which protected paths were reverted, and where the agent's version is kept. */
export function revertedLines({ paths, kept }: PathsRestored, { glyphs }: DisplaySettings): readonly Line[] {
  if (paths.length === 0) return [];
  return [
    prose(span(`${glyphs.warning}Reverted changes to protected paths: ${listed(paths)}`, 'bad')),
    ...(kept === null ? [] : [prose(span(`${glyphs.elbow}the agent's version is kept as ${kept}`, 'dim'))]),
  ];
}

/** The checks themselves changed these paths. Ralph reverts them and blames no agent. */
export function revertedAfterChecksLines(paths: readonly string[]): readonly Line[] {
  return paths.length === 0 ? [] : [prose(span(`Reverted changes of the checks to protected paths: ${listed(paths)}`, 'dim'))];
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => shorten(path, PATH_CHARS));
  const hidden = paths.length - shown.length;
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

export function specSeenLines({ path, obeyed }: Extract<EventBody, { type: 'spec.seen' }>, { glyphs }: DisplaySettings): readonly Line[] {
  const means = obeyed ? 'It counts from now on.' : 'This run keeps the version it was started with; --follow-spec would use the new one.';
  return [prose(span(`${glyphs.warning}${shorten(path, PATH_CHARS)} was changed. ${means}`, 'busy'))];
}

/** Where the receipt is, and how to verify it. */
export function receiptText({ file, commit, why_unsigned }: Omit<ReceiptWritten, 'type' | 'key'>): string {
  const unsigned = why_unsigned === undefined ? '' : `, unsigned: ${shorten(why_unsigned, PATH_CHARS)}`;
  return `${commit === null ? file : `note of commit ${commit.slice(0, 7)} (ralph verify ${commit.slice(0, 7)})`}${unsigned}`;
}

/** Which gates are known to be living before the first iteration. */
export function livingLines({ gates, known = [], cut_off }: LivingFound, { glyphs }: DisplaySettings): readonly Line[] {
  if (cut_off) return [];
  const seen = (command: string) => (known.includes(command) ? ', as an earlier run saw on the same files' : '');
  return gates.flatMap(({ command, state, files, why }) => {
    if (why === '' && state === 'unknown') return [];
    const name = shorten(command, COMMAND_CHARS);
    if (state === 'living')
      return [prose(span(`${glyphs.tick}${name} is alive: it runs ${files.length} test file${files.length === 1 ? '' : 's'}${seen(command)}`, 'good'))];
    return [prose(span(`${state === 'dead' ? glyphs.cross : glyphs.warning}${name} ${why}`, state === 'dead' ? 'bad' : 'busy'))];
  });
}

export const provingLines: readonly Line[] = [blank, prose(span('Proving the claim, in a clean copy of the work', 'accent'))];

type Judged = Pick<ProofJudged, 'verdict' | 'level' | 'reason' | 'gates' | 'changed'>;

export function provedLines({ verdict, level, reason, gates, changed }: Judged, { glyphs }: DisplaySettings): readonly Line[] {
  // The lines of the sealed checks have already said it.
  if (verdict === 'sealed') return [];
  if (verdict !== 'proven') return [prose(span(`${verdict === 'held' ? glyphs.warning : glyphs.cross}${reason}`, verdict === 'held' ? 'busy' : 'bad'))];
  if (level === 'place') return [prose(span(`${glyphs.warning}${reason}: accepted, because the gates were green where the agent worked`, 'busy'))];
  const unknown = gates.filter(({ state }) => state === 'unknown').length;
  const note = level !== 'green' && unknown > 0 ? `, ${unknown} of ${gates.length} not shown to be alive` : '';
  const proven = prose(span(`${glyphs.tick}Proven (${level}${note})`, 'good'));
  if (changed.length === 0) return [proven];
  return [proven, prose(span(`Changed, but also green without the changes: ${listed(changed.map(({ path }) => path))}`, 'dim'))];
}

export function sealedBegunLines(run: number): readonly Line[] {
  return [prose(span(`Sealed checks, run ${run} of at most ${MOST_SEALED_RUNS}`, 'accent'))];
}

export function sealedJudgedLines({ green, checks, weak }: Pick<SealedJudged, 'green' | 'checks' | 'weak'>, { glyphs }: DisplaySettings): readonly Line[] {
  const note = weak === 0 ? '' : ` (${weak} of ${checks} weak: only an exit code decides)`;
  return [prose(span(`${green ? glyphs.tick : glyphs.cross}Sealed checks ${green ? 'satisfied' : 'not satisfied'}${note}`, green ? 'good' : 'bad'))];
}

export function allowedLines({ by, paths }: ClaimAllowed): readonly Line[] {
  return [blank, prose(span(`Allowed by ${shorten(by, 40)}: ${listed(paths)}`, 'strong'))];
}

/** How far a claim was proven; follows the names of the gates that proved it. */
export function provenText(proof: RunState['proof']): string {
  if (!proof?.judged) return proof?.where === 'clean' ? ' (in a fresh checkout)' : '';
  const { level, allowedBy } = proof.judged;
  if (level === 'place') return ' (where the agent worked)';
  return ` (${level}, in a clean copy${allowedBy === null ? '' : `; changes to tests or settings were allowed by ${shorten(allowedBy, 40)}`})`;
}

const SHOWN_GATES = 5;
const COMMAND_CHARS = 300;

/** What decides whether the run is done: the gates, and the word that the agent must say. */
export function proofRows(settings: RunSettings): readonly Line[] {
  const { gates } = settings;
  const { many } = gateWords({ settings });
  if (isWork({ settings }) && gates.length === 0) return [doneWhen(settings)];
  if (isStories({ settings }) && gates.length === 0) return [row(many, span('none', 'bad'), ...noCheckSpans(settings)), doneWhen(settings)];
  if (gates.length === 0) {
    const add = saysChecks({ settings }) ? '--check' : '--guardrail';
    return [
      row(many, span('none', 'bad')),
      row('done when', ...claimed(settings), span(`. UNPROVEN: nothing checks its claim; add ${add} "npm test"`, 'busy')),
    ];
  }
  const shown = gates.slice(0, SHOWN_GATES).flatMap(({ command }, index) => gateRows(command, index === 0 ? many : ''));
  const hidden = gates.length - SHOWN_GATES;
  return [...shown, ...(hidden > 0 ? [row('', span(`and ${hidden} more`, 'dim'))] : []), doneWhen(settings)];
}

const LEVELS = {
  green: 'green, also in a clean copy and with the tests and configuration of the start',
  living: 'living: green in a clean copy, also with the tests and configuration of the start, and planted failures are noticed',
};

/** Which level of proof a claim needs. */
export function levelRows({ recipe, proof, gates, wall }: RunSettings, hasTree: boolean): readonly Line[] {
  if (proof === undefined || gates.length === 0) return [];
  if (!hasTree) return [row('proof', span('green where the agent works: without git, changes cannot be seen', 'busy'))];
  const mayChange = proof.mayChange.length === 0 ? [] : [row('', span(`may change: ${shorten(proof.mayChange.join(', '), PATH_CHARS)}`, 'busy'))];
  return [row('proof', span(LEVELS[proof.level])), ...sealedRows(ROOTS.includes(recipe) ? undefined : proof.sealed, wall.mode), ...mayChange];
}

/** These recipes never run sealed checks. */
const ROOTS: readonly string[] = ['supervise', 'job'];

/** Only the name of the folder: its path is kept from everyone who reads the output. */
function sealedRows(folder: string | undefined, mode: RunSettings['wall']['mode']): readonly Line[] {
  if (folder === undefined) return [];
  const name = shorten(folder.split('/').at(-1) ?? '', PATH_CHARS);
  const open = mode === 'guard' ? [row('', span('without a sandbox, an agent can look for them', 'busy'))] : [];
  return [row('', span(`sealed: and the hidden checks of ${name} are satisfied`)), ...open];
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
  const orTwice = loop?.requireTag === 'auto' ? ', or without a claim in two iterations in a row' : '';
  return row('done when', ...claimed(settings), span(` and ${green}${orTwice}`));
}

function storiesProof({ gates }: RunSettings): string {
  return gates.length === 0 ? ', and all is committed' : ', every check is green on it, and all is committed';
}

function claimed({ claims, recipe, supervise, stories }: RunSettings) {
  if (recipe === 'job') return [span('the agent ends well')];
  if (recipe === 'work') return [span('a task is reported complete ('), span('ralph task complete', 'strong'), span(')')];
  if (stories) return [span('every story '), span(stories.skipReview ? 'passes' : 'passes and is approved', 'strong')];
  if (supervise) return [span('the task folder has a file '), span('DONE', 'strong')];
  return [span('the agent answers '), span([...new Set(claims.map((claim) => claim.word))].join(' or '), 'strong')];
}
