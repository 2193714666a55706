import { oneLine } from '../../kit/pure/text.ts';
import { blank, type Line, line, span } from '../../report/console/line.ts';
import type { RedCheck } from '../../report/history/items.ts';
import { agentSaid, heldWhy } from '../../report/needs/agent-said.ts';
import type { RunReport } from '../../report/run-report/report-view.ts';
import { type ScreenSize, textLines, wrapped } from './rows.ts';

/** The red checks of an earlier judgement: their output stays readable once the task is proven. */
export interface EarlierRed {
  /** Null: the run as a whole. */
  readonly task: string | null;
  readonly iteration: number;
  readonly red: readonly RedCheck[];
}

export interface WatchedReport extends RunReport {
  /** Newest first. */
  readonly earlier_red: readonly EarlierRed[];
}

interface Shown {
  /** Null: the whole run. */
  readonly task: string | null;
  readonly from: number;
  readonly clock: (ms: number) => string;
}

interface Details {
  readonly rows: readonly Line[];
  /** `from`, or less if it is too far. */
  readonly first: number;
}

const FOOT_LINES = 2;
const HANG = 6;
const MOST_EARLIER = 30;

/**
 * Why a run or a task is not done yet, with what tells why each check is or was red, what was refused, and what happened. Every line is shown in
 * full; the arrow keys move it.
 */
export function detailsScreen(report: WatchedReport | null, { task, from, clock }: Shown, size: ScreenSize): Details {
  const all = report === null ? [line(span('Reading the journal…', 'dim'))] : allRows(report, { task, clock }, size);
  const room = Math.max(1, size.height - FOOT_LINES);
  const first = Math.max(0, Math.min(from, all.length - room));
  const moves = `${first + 1} to ${first + room} of ${all.length} · up/down move · other keys go back`;
  const foot = line(span(all.length > room ? moves : 'any other key goes back', 'dim'));
  return { rows: [...all.slice(first, first + room), blank, foot], first };
}

/** The rows of a report, kept while it is shown: wrapping those of a long run takes longer than a key may. */
const kept = new WeakMap<WatchedReport, { readonly of: string; readonly rows: readonly Line[] }>();

function allRows(report: WatchedReport, { task, clock }: Omit<Shown, 'from'>, size: ScreenSize): readonly Line[] {
  const of = JSON.stringify([task, size.width]);
  const known = kept.get(report);
  if (known?.of === of) return known.rows;
  const rows = detailLines(report, task, clock).flatMap((each) => wrapped(each, size, HANG));
  kept.set(report, { of, rows });
  return rows;
}

function detailLines(report: WatchedReport, task: string | null, clock: Shown['clock']): readonly Line[] {
  const { title, run_id, totals, not_proven, proven, refused, timeline } = report;
  const earlier = report.earlier_red.filter((each) => task === null || each.task === task);
  const isMeant = (each: { readonly task: string | null }) => task === null || each.task === task;
  const cost = totals.cost_usd === null ? 'cost unknown' : `$${totals.cost_usd.toFixed(2)}`;
  const each = totals.cost_per_proven_usd === null ? '' : `, $${totals.cost_per_proven_usd.toFixed(2)} per proven result`;
  return [
    line(
      span(oneLine(title || run_id), 'strong'),
      span(task === null ? '' : ` · ${task}`),
      span(`  ${totals.proven} proven, ${totals.not_proven} not, ${cost}${each}`, 'dim'),
    ),
    blank,
    line(span('Why not done yet', 'strong')),
    ...not_proven.filter(isMeant).flatMap(openLines),
    ...proven
      .filter(isMeant)
      .map(({ task: id, level, commit }) =>
        line(
          span('  ✓ ', 'good'),
          span(id ?? 'the run'),
          span(` is proven${level === null ? '' : ` (${level})`}${commit === null ? '' : `, ${commit.slice(0, 7)}`}`, 'dim'),
        ),
      ),
    ...refused.filter(isMeant).map(({ text }) => line(span('  refused: ', 'bad'), span(oneLine(text)))),
    ...(earlier.length === 0 ? [] : [blank, line(span('What was red before, newest first', 'strong'))]),
    ...earlier.slice(0, MOST_EARLIER).flatMap(earlierLines),
    ...(earlier.length > MOST_EARLIER ? [line(span(`  … ${earlier.length - MOST_EARLIER} more: choose a task and press o`, 'dim'))] : []),
    blank,
    line(span('What happened, newest first', 'strong')),
    ...timeline
      .filter(isMeant)
      .toReversed()
      .map(({ at, task: id, tone, text }) =>
        line(span(`  ${clock(at)} `, 'dim'), span(id === null ? '' : `${id} `), span(oneLine(text), tone === 'plain' ? 'plain' : tone)),
      ),
  ];
}

function openLines({ task, state, why, agent_said, red }: RunReport['not_proven'][number]): readonly Line[] {
  const [first = '', ...more] = textLines(heldWhy(why));
  const head = line(span('  ✗ ', 'bad'), span(task ?? 'the run', 'strong'), span(` ${state}`, 'busy'), span(first === '' ? '' : `: ${first}`));
  const said = agentSaid(agent_said, why);
  return [head, ...more.map(quoted), ...(said === null ? [] : [line(span(`    ${oneLine(said)}`, 'dim'))]), ...red.flatMap(redLines)];
}

const quoted = (text: string) => line(span(`      ${text}`));

function earlierLines({ task, iteration, red }: EarlierRed): readonly Line[] {
  return [line(span('  ✗ ', 'bad'), span(task ?? 'the run', 'strong'), span(` iteration ${iteration}`, 'dim')), ...red.flatMap(redLines)];
}

function redLines({ command, ending, where, lines }: RedCheck): readonly Line[] {
  const place = where === 'workspace' ? 'workspace' : where === 'clean' ? 'clean copy' : 'merged result';
  return [line(span('    ✗ ', 'bad'), span(oneLine(command)), span(` ${ending}, in the ${place}`, 'dim')), ...lines.split(/\r?\n/).map(quoted)];
}
