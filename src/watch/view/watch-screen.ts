import { formatDuration } from '../../kit/pure/amounts.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { blank, type Line, line, prose, type Span, span } from '../../report/console/line.ts';
import { columns, cutToColumns } from '../../report/console/look.ts';
import { agentSaid, heldWhy } from '../../report/needs/agent-said.ts';
import type { Need } from '../../report/needs/needs.ts';
import { type RowRange, rowsAround, type ScreenSize, textLines, wrapped } from './rows.ts';
import { type ChosenItem, canRetry, chosenItem, type Typing, type WatchInput } from './watch-keys.ts';
import type { WatchView } from './watched-run.ts';

/**
 * The whole screen, never more rows than it has. The foot and what is chosen are always shown; of what waits for a person more than of the runs. Without an
 * input nothing is chosen, no key is named, and the height has no limit.
 */
export function watchScreen(views: readonly WatchView[], input: WatchInput | null, size: ScreenSize, nowMs: number): readonly Line[] {
  const chosen = input === null ? null : chosenItem(views, input);
  const foot = input === null ? [] : footLines(input, chosen, { views, size });
  const space = Math.max(0, size.height - 2 - foot.length);
  const runs = runRows(views, chosen, { size, nowMs });
  const forRuns = Math.min(runs.rows.length, chosen?.need == null ? Math.ceil(space / 2) : Math.min(LEAST_RUN_ROWS, Math.floor(space / 4)));
  const needs = needRows(views, chosen, { size, nowMs, space, forRuns });
  const shown = rowsAround(runs.rows, space - needs.length, runs.chosen, (above, below) => `  and ${above + below} more lines`);
  const top = [headLine(views), blank, ...shown, ...needs];
  return [...top.slice(0, Math.max(0, size.height - foot.length)), ...foot.slice(0, size.height)];
}

const LEAST_RUN_ROWS = 4;

function headLine(views: readonly WatchView[]): Line {
  const running = views.filter(({ standing }) => standing === 'running').length;
  const needs = views.reduce((sum, view) => sum + view.needs.length, 0);
  const cost = views.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
  const parts = [`${running} at work`, ...(cost > 0 ? [money(cost)] : [])].join(' · ');
  const call: readonly Span[] = needs === 0 ? [] : [span(' · '), span(`${needs} ${needs === 1 ? 'needs' : 'need'} you`, 'busy')];
  return line(span('Ralph', 'strong'), span(` · ${parts}`), ...call);
}

const money = (usd: number) => `$${usd.toFixed(2)}`;

interface Look {
  readonly size: ScreenSize;
  readonly nowMs: number;
}

function runRows(views: readonly WatchView[], chosen: ChosenItem | null, look: Look): { readonly rows: readonly Line[]; readonly chosen: RowRange } {
  const runs = views.map((view) => runLines(view, chosen, look));
  const at = chosen?.need === null ? views.findIndex(({ run_id }) => run_id === chosen.run) : 0;
  const from = runs.slice(0, at).flat().length;
  return { rows: runs.flat(), chosen: { from, to: from + (runs[at]?.length ?? 0) } };
}

function runLines(view: WatchView, chosen: ChosenItem | null, { size, nowMs }: Look): readonly Line[] {
  const { width } = size;
  const isChosen = chosen?.need === null && chosen.run === view.run_id;
  const head = line(
    span(isChosen ? '> ' : '  ', 'accent'),
    span(`${view.run_id} `, 'strong'),
    span(`${view.recipe} · `),
    span(oneLine(view.status), view.standing === 'running' ? 'good' : 'dim'),
    span(` · ${[formatDuration(wholeSeconds(view.elapsed_ms)), ...costParts(view)].join(' · ')}`),
  );
  return [
    ...(isChosen ? wrapped(head, size, HANG) : [head]),
    ...progressLines(view, width),
    ...view.workers.map((worker) => workerLine(worker, width, nowMs)),
    blank,
  ];
}

const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000;

function costParts({ cost_usd, cost_estimated, cost_per_proven_usd: each }: WatchView): readonly string[] {
  return [
    ...(cost_usd === null ? [] : [`${money(cost_usd)}${cost_estimated ? ' (estimated)' : ''}`]),
    ...(each === null ? [] : [`${money(each)} per proven result`]),
  ];
}

const BAR_COLUMNS = 24;

function progressLines({ progress, left_ms }: WatchView, width: number): readonly Line[] {
  if (progress === null) return [];
  if (progress.of === 'iterations') return [line(span(`    iteration ${progress.done} of ${progress.total}`, 'dim'))];
  const { done, total, of } = progress;
  const long = Math.min(BAR_COLUMNS, Math.max(0, width - 40));
  const full = total === 0 ? 0 : Math.min(long, Math.round((long * done) / total));
  const left = left_ms === null ? '' : ` · about ${formatDuration(Math.ceil(left_ms / 60_000) * 60_000)} left`;
  return [line(span('    '), span('#'.repeat(full), 'good'), span('.'.repeat(long - full), 'dim'), span(` ${done} of ${total} ${of}${left}`))];
}

const cut = (text: string, width: number) => (columns(text) <= width ? text : `${cutToColumns(text, Math.max(0, width - 1))}…`);

/** The age stays at the right edge, so the text before it is cut. */
function workerLine({ worker, iteration, subject, doing, since_ms }: WatchView['workers'][number], width: number, nowMs: number): Line {
  const age = since_ms === null ? '' : ` ${formatDuration(Math.max(0, wholeSeconds(nowMs - since_ms)))}`;
  const name = `    w${worker} `;
  const space = Math.max(0, width - columns(name) - columns(age));
  const subjectPart = `${cut(subject === '' ? `iteration ${iteration}` : oneLine(subject), Math.floor(space / 2) - 2)}  `;
  const doingPart = cut(oneLine(doing), space - columns(subjectPart) - 1);
  return line(span(name, 'accent'), span(subjectPart), span(doingPart, 'busy'), span(age, 'dim'));
}

const NEED_WORDS: Readonly<Record<Need['kind'], string>> = {
  question: 'asks',
  held: 'held',
  login: 'logged out',
  budget: 'budget',
  dead: 'dead check',
  conflict: 'conflict',
  kept: 'kept',
  failed: 'failed',
  stuck: 'stopped',
};

const ENTER_WORDS: Readonly<Record<Need['kind'], string>> = {
  question: 'answer',
  held: 'accept',
  login: 'why',
  budget: 'raise the limit',
  dead: 'why',
  conflict: 'why',
  kept: 'what to do',
  failed: 'why',
  stuck: 'why',
};

interface NeedSpace {
  readonly size: ScreenSize;
  readonly nowMs: number;
  /** For needs and runs together. */
  readonly space: number;
  readonly forRuns: number;
}

/** The title, and the row below the list. */
const AROUND_NEEDS = 2;

/** One row for each need, and the chosen one in full, at the cost of everything else. */
function needRows(views: readonly WatchView[], chosen: ChosenItem | null, { size, nowMs, space, forRuns }: NeedSpace): readonly Line[] {
  const needs = views.flatMap((view) => view.needs);
  if (needs.length === 0) return [];
  const rows = needs.map((need) => (need === chosen?.need ? chosenNeed(need, size, nowMs) : [needLine(need, nowMs, chosen === null)]));
  const at = chosen?.need == null ? 0 : Math.max(0, needs.indexOf(chosen.need));
  const tall = rows[at]?.length ?? 0;
  const room = Math.max(space - forRuns, Math.min(space, tall + AROUND_NEEDS + 1)) - AROUND_NEEDS;
  const rest = (above: number, below: number) =>
    tall < room ? `  … ${[...(above > 0 ? [`${above} more above`] : []), ...(below > 0 ? [`${below} more below`] : [])].join(', ')}` : '  … o shows all of it';
  return [line(span('Needs you', 'strong')), ...rowsAround(rows.flat(), room, { from: at, to: at + tall }, rest), blank];
}

function needLine(need: Need, nowMs: number, isWhole: boolean): Line {
  const spans = [...needName(need, '  '), span(oneLine(heldWhy(need.text))), needAge(need, nowMs)];
  return isWhole ? { ...prose(...spans), hang: HANG } : line(...spans);
}

const HANG = 4;
const needName = ({ kind, task, run }: Need, mark: string) => [span(mark, 'accent'), span(`${NEED_WORDS[kind]} `, 'busy'), span(`${task ?? run} `, 'strong')];
const needAge = ({ sinceMs }: Need, nowMs: number) => span(` (${formatDuration(Math.max(0, wholeSeconds(nowMs - sinceMs)))})`, 'dim');

/** Its line breaks stay, and so do the last words of its agent: they are the evidence. */
function chosenNeed(need: Need, size: ScreenSize, nowMs: number): readonly Line[] {
  const texts = textLines(size.hide(heldWhy(need.text)));
  const said = agentSaid(need.said, need.text);
  const lines = texts.map((text, index) =>
    line(...(index === 0 ? needName(need, '> ') : [span(' '.repeat(HANG))]), span(text), ...(index === texts.length - 1 ? [needAge(need, nowMs)] : [])),
  );
  const words = said === null ? [] : [line(span(`${' '.repeat(HANG)}${oneLine(said)}`, 'dim'))];
  return [...lines, ...words].flatMap((each) => wrapped(each, size, HANG));
}

const TYPING: Readonly<Record<Typing['what'], (about: string) => string>> = {
  answer: (about) => `Your answer to ${about}: `,
  changes: (about) => `What the next agent should do differently about ${about}: `,
  note: (about) => `A note for the next prompt of ${about}: `,
  skip: () => 'The task to skip: ',
  budget: () => 'What the run may cost in all, in dollars: ',
};

interface Around {
  readonly views: readonly WatchView[];
  readonly size: ScreenSize;
}

/** A message and what is typed take a third of the screen each at most. Of what is typed the end is shown. */
function footLines({ typing, confirm, message }: WatchInput, chosen: ChosenItem | null, { views, size }: Around): readonly Line[] {
  const most = Math.max(2, Math.floor(size.height / 3));
  const told = message === '' ? [] : rowsAround(wrapped(line(span(oneLine(message), 'accent')), size), most, { from: 0, to: 0 }, () => '…');
  if (typing !== null) {
    const about = span(TYPING[typing.what](typing.task ?? typing.run), 'strong');
    const rows = wrapped(line(about, span(typing.text), span('_', 'dim')), size);
    const typed = rows.length <= most ? rows : [line(about), ...rows.slice(1 - most)];
    return [...told, ...typed, line(span('enter sends it · escape cancels', 'dim'))];
  }
  if (confirm !== null) return [...told, line(span(`Stop run ${confirm} now? y or n`, 'busy'))];
  const view = views.find(({ run_id }) => run_id === chosen?.run);
  const [forItem, forRun] = keysFor(chosen, view);
  const rows = [forItem, forRun].map((keys) => keys.join(' · '));
  const fitting = rows.every((row) => columns(row) <= size.width) ? rows : keyRows([...forItem, ...forRun], size.width);
  return [...told, ...fitting.map((text) => line(span(text, 'dim')))];
}

/** Only keys that do something now: for what is chosen, and for its run. */
function keysFor(chosen: ChosenItem | null, view: WatchView | undefined): readonly [readonly string[], readonly string[]] {
  const need = chosen?.need ?? null;
  const enter = need === null ? 'why' : ENTER_WORDS[need.kind];
  const forRun = view?.standing === 'running' ? [view.status === 'paused' ? 'p continue' : 'p pause', 'd drain', 's stop'] : view?.is_done ? [] : ['r resume'];
  const forItem = [
    ...['up/down choose', `enter ${enter}`],
    ...(canRetry(need) ? [`c ${need?.kind === 'held' ? 'send back' : 'try again'}`] : []),
    ...(enter === 'why' ? [] : ['o why']),
  ];
  return [
    [...forItem, 'n note', 'x skip', 'b budget'],
    [...forRun, 'q quit'],
  ];
}

const MOST_KEY_ROWS = 2;

/** Keys are left out whole, and the last one never is. */
function keyRows(keys: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  for (const key of keys) {
    const joined = rows.length === 0 ? key : `${rows.at(-1)} · ${key}`;
    if (columns(joined) <= width) rows.pop();
    rows.push(columns(joined) <= width ? joined : key);
  }
  return rows.length <= MOST_KEY_ROWS || keys.length < 2 ? rows : keyRows(keys.toSpliced(-2, 1), width);
}
