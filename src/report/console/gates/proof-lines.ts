import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { ClaimAllowed, LivingFound, PathsRestored, ProofJudged, ReceiptWritten, SealedJudged } from '../../../journal/events/gates.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { MOST_SEALED_RUNS } from '../../../journal/words/proof.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { factsOf, requiredTagOf } from '../../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { blank, type Line, prose, type Span, span } from '../line.ts';
import { type DisplaySettings, hasBarePipe, row, sentence, shorten } from '../look.ts';
import { slowLine } from './gate-lines.ts';

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

/** There is only the file then. */
export const noNoteText = (why: string) => `The receipt could not be added as a note of the commit: ${shorten(why, PATH_CHARS)}`;

/** Which gates are known to be living before the first iteration, and which level of proof can be had if that is less than was asked for. */
export function livingLines(found: LivingFound, look: DisplaySettings, { proof, hasBaseline }: Pick<RunSettings, 'proof'> & HasBaseline): readonly Line[] {
  const { key, known = [], cut_off } = found;
  if (cut_off) return [];
  // Of the checks of one task, its proof says which are not shown to be alive.
  const gates = key !== 'living:start' ? found.gates.filter(({ state }) => state !== 'unknown') : found.gates;
  const lines = gates.flatMap((life) => lifeLines(life, look, { isKnown: known.includes(life.command), hasBaseline }));
  const sealed = found.sealed_green ? [prose(span(`${look.glyphs.warning}The sealed checks are green before any work, so they prove nothing`, 'busy'))] : [];
  const slow = hasBaseline ? [] : gates.flatMap(({ command, slow_ms }) => (slow_ms === undefined ? [] : slowLine(command, slow_ms, look)));
  return [...lines, ...slow, ...levelToBeHad(gates, proof?.sealed !== undefined), ...sealed];
}

function lifeLines(life: LivingFound['gates'][number], { glyphs }: DisplaySettings, { isKnown, hasBaseline }: HasBaseline & { readonly isKnown: boolean }) {
  const { command, state, files, why, red_besides } = life;
  if (why === '' && state === 'unknown') return [];
  const name = shorten(command, COMMAND_CHARS);
  if (state !== 'living') return [prose(span(`${state === 'dead' ? glyphs.cross : glyphs.warning}${name} ${why}`, state === 'dead' ? 'bad' : 'busy'))];
  const seen = isKnown ? ', as an earlier run saw on the same files' : '';
  const isRed = red_besides === true && !hasBaseline;
  return [
    prose(span(`${glyphs.tick}${name} is alive: it runs ${plural(files.length, 'test file')}${seen}`, 'good')),
    ...(isRed ? [prose(span(`${glyphs.elbow}more of it failed than was planted, so it may be red anyway`, 'dim'))] : []),
  ];
}

interface HasBaseline {
  /** Whether the checks also ran without planted failures, and the screen says what came of it. */
  readonly hasBaseline: boolean;
}

/** Nothing in journals of older versions, which give no reason for an unknown runner. */
function levelToBeHad(gates: LivingFound['gates'], isSealed: boolean): readonly Line[] {
  if (gates.length === 0 || gates.some(({ state, why }) => state !== 'unknown' || why === '')) return [];
  const isCopied = gates.every(({ uncopied }) => !uncopied);
  const level = isCopied ? (isSealed ? 'sealed, on checks that are only green' : 'green') : 'green where the agent works';
  const because = isCopied ? `no ${gates.length === 1 ? 'planted failure shows in the check' : 'check shows a planted failure'}` : 'no clean copy can be made';
  return [prose(span(`The best proof this run can have: ${level}, because ${because}`, 'busy'))];
}

export const provingLines: readonly Line[] = [blank, prose(span('Proving the claim, in a clean copy of the work', 'accent'))];

type Judged = Pick<ProofJudged, 'verdict' | 'level' | 'reason' | 'gates' | 'changed'>;

/** With the reasons why gates are not shown to be alive, but for those that are on the screen already. */
export function provedLines({ verdict, level, reason, gates, changed }: Judged, { glyphs }: DisplaySettings, told: LivingFound['gates'] = []): readonly Line[] {
  // The lines of the sealed checks have already said it.
  if (verdict === 'sealed') return [];
  if (verdict !== 'proven') return [prose(span(`${verdict === 'held' ? glyphs.warning : glyphs.cross}${reason}`, verdict === 'held' ? 'busy' : 'bad'))];
  if (level === 'place') return [prose(span(`${glyphs.warning}${reason}: accepted, because the checks were green where the agent worked`, 'busy'))];
  const unknown = gates.filter(({ state }) => state === 'unknown').length;
  const note = level !== 'green' && unknown > 0 ? `, ${unknown} of ${gates.length} not shown to be alive` : '';
  const proven = [prose(span(`${glyphs.tick}Proven (${level}${note})`, 'good')), ...unknownLines(gates, told)];
  if (changed.length === 0) return proven;
  return [...proven, prose(span(`Changed, but also green without the changes: ${listed(changed.map(({ path }) => path))}`, 'dim'))];
}

function unknownLines(gates: Judged['gates'], told: LivingFound['gates']): readonly Line[] {
  const untold = gates.filter(
    ({ command, state, why }) => state === 'unknown' && why !== '' && !told.some((gate) => gate.command === command && gate.why === why),
  );
  return untold.map(({ command, why }) => prose(span(`${shorten(command, COMMAND_CHARS)} ${why}`, 'dim')));
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
export function provenText({ run, proof }: Pick<RunState, 'run' | 'proof'>): string {
  if (factsOf(run?.settings).countsStarts) return ` (${IN_PLACE})`;
  if (!proof?.judged) return proof?.where === 'clean' ? ' (in a fresh checkout)' : '';
  const { level, allowedBy } = proof.judged;
  if (level === 'place') return ' (where the agent worked)';
  return ` (${level}, in a clean copy${allowedBy === null ? '' : `; changes to tests or settings were allowed by ${shorten(allowedBy, 40)}`})`;
}

const SHOWN_GATES = 5;
const COMMAND_CHARS = 300;

/** What decides whether the run is done: the checks, and what the agent must say. A warning below them where something weakens the proof. */
export function proofRows(settings: RunSettings, own: ProofBanner, hasTree: boolean): readonly Line[] {
  const done = sentence('done when', ...own.doneWhen(settings), span(sealedText(settings)), span(levelText(settings, hasTree), 'dim'));
  return [checksRow(settings, own), ...pipeRows(settings), done, ...weakProofRows(settings, hasTree)];
}

function checksRow(settings: RunSettings, own: ProofBanner): Line {
  const { gates } = settings;
  if (gates.length > 0) {
    const hidden = gates.length - SHOWN_GATES;
    const shown = gates.slice(0, SHOWN_GATES).map(({ command }) => shorten(command, COMMAND_CHARS));
    return row('checks', span(shown.join(', '), 'strong'), span(hidden > 0 ? ` and ${hidden} more` : '', 'dim'));
  }
  return sentence('checks', ...own.noChecks(settings));
}

function pipeRows({ gates }: RunSettings): readonly Line[] {
  const piped = gates.slice(0, SHOWN_GATES).filter(({ command }) => hasBarePipe(command));
  return piped.length === 0 ? [] : [row('', span("a pipe's exit code is its last command's", 'busy'))];
}

function weakProofRows(settings: RunSettings, hasTree: boolean): readonly Line[] {
  const { proof, gates, wall } = settings;
  if (proof === undefined || gates.length === 0) return [];
  if (!hasTree) return [row('', span('proven only where the agent works: without git, changes cannot be seen', 'busy'))];
  const mayChange = proof.mayChange.length === 0 ? [] : [row('', span(`may change: ${shorten(proof.mayChange.join(', '), PATH_CHARS)}`, 'busy'))];
  const isOpen = proof.sealed !== undefined && !factsOf(settings).countsStarts && (wall.mode !== 'os' || wall.gates === 'host');
  return [...(isOpen ? [row('', span(SEALED_SEEN[wall.mode], 'busy'))] : []), ...mayChange];
}

const DRIVERS_SEEN = 'the drivers of the sealed checks lie in a copy of the work while they run: whatever reaches it can read them';

/** How far sealed checks are not sealed, unless only the process of a driver sees the drivers. */
const SEALED_SEEN = { guard: 'without a sandbox, an agent can look for the sealed checks', docker: DRIVERS_SEEN, os: DRIVERS_SEEN } as const;

/** The best level that a claim can have; empty if a row below tells it, or nothing does. */
function levelText(settings: RunSettings, hasTree: boolean): string {
  const { proof, gates } = settings;
  if (gates.length === 0) return '';
  if (factsOf(settings).countsStarts) return ` (proof: ${IN_PLACE})`;
  if (proof === undefined || !hasTree) return '';
  if (gates.every((gate) => gate.proof === 'off')) return ` (proof: ${IN_PLACE})`;
  if (proof.sealed !== undefined) return ' (proof: up to sealed)';
  return proof.level === 'living' && gates.some((gate) => gate.proof === undefined) ? ' (proof: up to living)' : ' (proof: green)';
}

const IN_PLACE = 'green, in place';

const LEVELS = {
  green: 'green, also in a clean copy and with the tests and configuration of the start',
  living: 'up to living: green in a clean copy, also with the tests and configuration of the start, and living if planted failures are noticed',
};

/** Which level of proof a claim can have, for --verbose. Nothing has been planted yet, and in some gates nothing may be. */
export function levelRows({ proof, gates }: RunSettings, hasTree: boolean): readonly Line[] {
  if (proof === undefined || !hasTree || gates.every((gate) => gate.proof === 'off')) return [];
  return [row('proof', span(LEVELS[gates.some((gate) => gate.proof === undefined) ? proof.level : 'green']))];
}

/** Only the name of the folder: its path is kept from everyone who reads the output. Starts of an agent are never judged by sealed checks. */
function sealedText(settings: RunSettings): string {
  const { proof, gates } = settings;
  if (proof?.sealed === undefined || gates.length === 0 || factsOf(settings).countsStarts) return '';
  return `, and the sealed checks of ${shorten(proof.sealed.split('/').at(-1) ?? '', PATH_CHARS)} are satisfied`;
}

/** A claim, and green checks. */
export function claimAndGreen(claim: readonly Span[], settings: RunSettings): readonly Span[] {
  const { gates } = settings;
  if (gates.length === 0) return [...claim, span('. UNPROVEN: nothing checks its claim; add --check "npm test"', 'busy')];
  const green = `${gates.length === 1 ? 'the check is' : 'all checks are'} green`;
  const tag = requiredTagOf(settings);
  if (tag === 'never') return [span(green)];
  return [...claim, span(` and ${green}${tag === 'auto' ? ', or without a claim in two iterations in a row' : ''}`)];
}

/** What an agent says when it is done, without the words for a question. */
export function wordsForDone({ claims }: Pick<RunSettings, 'claims'>): readonly string[] {
  return [...new Set(claims.filter(({ kind }) => kind !== 'question').map(({ word }) => word))];
}

/** What the agent said that is no claim, though a person might take it for one, and what would be. Null: nothing like that, or no claim is needed. */
export function nearClaimText({ near_claim: said }: Pick<AttemptEnded, 'near_claim'>, settings: RunSettings | undefined): string | null {
  if (said === undefined || settings === undefined || requiredTagOf(settings) === 'never') return null;
  const words = wordsForDone(settings);
  return `"${shorten(said, PATH_CHARS)}" is no claim. What counts is ${words.join(' or ')}, alone on the last line or as <response>${words[0]}</response>.`;
}

/** What a recipe says of the proof in its banner. */
export interface ProofBanner {
  /** In place of the checks if there are none. */
  noChecks(settings: RunSettings): readonly Span[];
  /** What is claimed, and what proves it. */
  doneWhen(settings: RunSettings): readonly Span[];
}

export const plainProof: ProofBanner = {
  noChecks: () => [span('none', 'bad')],
  doneWhen: (settings) => claimAndGreen([span('the agent answers '), span(wordsForDone(settings).join(' or '), 'strong')], settings),
};
