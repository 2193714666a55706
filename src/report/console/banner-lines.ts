import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { costText, formatDuration, plural } from '../../kit/pure/amounts.ts';
import { agentName } from '../../limits/agents.ts';
import { limitName } from '../../limits/retry-policy.ts';
import { budgetOf, factsOf, mostFailuresOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { detailRows, warningRows } from './banner-details.ts';
import { proofRows } from './gates/proof-lines.ts';
import { type Line, line, prose, span } from './line.ts';
import { row, sentence, shorten } from './look.ts';
import type { RecipeBanner } from './recipe-screen.ts';
import { sandboxRows } from './sandbox-lines.ts';
import { moneyRows } from './summary/money-lines.ts';

type Started = Extract<EventBody, { type: 'run.started' }>;
type Resumed = Extract<EventBody, { type: 'run.resumed' }>;

const COMMAND_CHARS = 300;

/** The same six rows for every recipe, and what a person should be warned of. With --verbose also every other setting. */
export function bannerLines({ ralph, run, cwd, found, settings }: Started, own: RecipeBanner, verbose: boolean): readonly Line[] {
  return [
    title({ ralph, run, settings }, own),
    ...sixRows(settings, own, found?.tree != null),
    ...warningRows(settings, found),
    ...moneyRows(settings),
    ...(verbose ? [...detailRows(settings, { cwd, found }), ...own.rows(settings)] : []),
  ];
}

/** A resumed run keeps its settings; the lines also say where it continues. */
export function resumedLines({ ralph }: Resumed, { run, opened, open, inFlight, startTree, limit, time }: RunState, own: RecipeBanner): readonly Line[] {
  if (!run) return [];
  const noun = factsOf(run.settings).countsStarts ? 'attempt' : 'iteration';
  const left = open.map(({ number }) => `${noun} ${number} is open`);
  const begun = inFlight.map(({ kind, iteration, attempt }) => `${kind} ${iteration}.${attempt} was running`);
  return [
    title({ ralph, run: run.id, settings: run.settings }, own),
    row('resumed', span([`${plural(opened, noun)} so far`, ...left, ...begun].join(', '))),
    ...(limit.untilMs > time.lastMs ? [row('waits', span(`${limitName(limit.window)}: ${formatDuration(limit.untilMs - time.lastMs)} left`, 'busy'))] : []),
    ...sixRows(run.settings, own, startTree !== null),
    ...moneyRows(run.settings),
  ];
}

/** `Ralph 0.1.0  run 20260115-044055-abc123, task-graph.yaml with 4 workers`. */
function title({ ralph, run, settings }: Pick<Started, 'ralph' | 'run' | 'settings'>, own: RecipeBanner): Line {
  const about = landingText(settings) ?? own.about(settings);
  return prose(span(`Ralph ${ralph}`, 'strong'), span(`  run ${run}`, 'dim'), ...(about === null ? [] : [span(`, ${about}`)]));
}

function landingText({ landing }: RunSettings): string | null {
  if (!landing) return null;
  return `worktree ${landing.worktree.path}; lands on ${landing.into} ${landing.when === 'end' ? 'after a good end' : 'with each commit'}`;
}

function sixRows(settings: RunSettings, own: RecipeBanner, hasTree: boolean): readonly Line[] {
  return [agentRow(settings), ...sandboxRows(settings), ...proofRows(settings, own, hasTree), limitsRow(settings, own), budgetRow(settings)];
}

function agentRow({ agent, fallback = [] }: RunSettings): Line {
  const command = shorten([agent.command, ...agent.flags].join(' '), COMMAND_CHARS);
  const kind = agent.command.includes(agent.kind) ? [] : [`speaks ${agent.kind}`];
  const details = [...kind, ...(agent.model === null ? [] : [`model ${agent.model}`]), ...foundText(agent)].join(', ');
  const then = fallback.length === 0 ? '' : `, then ${shorten(fallback.map(agentName).join(', '), COMMAND_CHARS)} while it is limited or cannot work`;
  return row('agent', span(command, 'strong'), span(`${details === '' ? '' : ` (${details})`}${then}`, 'dim'));
}

/** Why it is this one, if nobody has named it. */
function foundText({ onPath }: RunSettings['agent']): readonly string[] {
  if (onPath === undefined) return [];
  return [`${onPath.length === 1 ? 'found' : `the first of ${onPath.join(', ')}`} on PATH, as none is named`];
}

/** 0 means off. */
const time = (ms: number) => (ms === 0 ? 'off' : formatDuration(ms));

function limitsRow(settings: RunSettings, own: RecipeBanner): Line {
  const { maximumIterations, limits } = settings;
  const iterations = maximumIterations === 0 ? 'any number of iterations' : plural(maximumIterations, 'iteration');
  const noun = factsOf(settings).countsStarts ? 'run' : 'iteration';
  return sentence('limits', span(`${own.limit(settings) ?? iterations}, idle ${time(limits.idleMs)}, ${noun} ${time(limits.iterationMs)}`));
}

function budgetRow(settings: RunSettings): Line {
  const { costUsd, timeMs } = budgetOf(settings);
  const failures = mostFailuresOf(settings);
  const parts = [
    ...(costUsd === null ? [] : [costText(costUsd)]),
    ...(timeMs === 0 ? [] : [`${formatDuration(timeMs)} in all`]),
    ...(failures === null ? [] : [`stops after more than ${plural(failures, 'failed task')}`]),
  ];
  return row('budget', parts.length === 0 ? span('none', 'dim') : span(parts.join(', ')));
}

/** `=== Ralph iteration 1/10 ===` (seed 001). */
export function iterationHeading(iteration: number, maximum: number): Line {
  return line(span(`=== Ralph iteration ${iteration}${maximum === 0 ? '' : `/${maximum}`} ===`, 'accent'));
}
