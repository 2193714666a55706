import type { EventBody } from '../../../journal/events/journal-event.ts';
import { type Spending, type TotalCost, totalCost } from '../../../journal/state/spending.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { costText } from '../../../kit/pure/amounts.ts';
import { agentName, agentsIn } from '../../../limits/agents.ts';
import { costPerProven } from '../../../limits/cost-per-proven.ts';
import { agentsOfUnknownCost, costLimitIsUnseen, hasCostLimit } from '../../../limits/money.ts';
import { isListPriced, LIST_PRICES_OF } from '../../../limits/prices.ts';
import { budgetOf, factsOf, pricesOf } from '../../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { type Line, prose, span } from '../line.ts';
import { type DisplaySettings, row, shorten } from '../look.ts';
import { tokensText } from '../spent-text.ts';

const NAMES_CHARS = 120;

/** What the operator must know of a cost limit before it is relied on: for which agents it is an estimate, and for which nobody can keep it. */
export function moneyRows(settings: RunSettings): readonly Line[] {
  if (!hasCostLimit(settings)) return [];
  const unknown = agentsOfUnknownCost(settings);
  const listed = agentsIn(settings).filter(({ kind, model }) => isListPriced({ kind, model }, pricesOf(settings)));
  return [
    ...(listed.length === 0
      ? []
      : [
          row('prices', span(`${names(listed.map(agentName))}: estimated from tokens by list prices of ${LIST_PRICES_OF}; prices in your settings win`, 'dim')),
        ]),
    ...(unknown.length === 0 ? [] : [row('WARNING', span(`${unseenText(unknown)}; ${boundText(settings)}`, 'busy'))]),
  ];
}

const names = (all: readonly string[]) => shorten(all.map((name) => `"${name}"`).join(', '), NAMES_CHARS);

const unseenText = (unknown: readonly string[]) =>
  unknown.length === 0
    ? 'the cost limit could not be kept: no attempt told its cost or its tokens'
    : `the cost limit cannot be kept: ${names(unknown)} ${unknown.length === 1 ? 'tells' : 'tell'} neither cost nor tokens`;

function boundText(settings: RunSettings): string {
  const bounds = [...(settings.maximumIterations === 0 ? [] : ['iterations']), ...(budgetOf(settings).timeMs === 0 ? [] : ['time'])];
  return bounds.length === 0
    ? 'nothing else bounds this run'
    : `only ${bounds.join(' and ')} bound${bounds.length === 1 && bounds[0] === 'time' ? 's' : ''} this run`;
}

/** For the summary; null: there is no cost limit, or what was spent could be seen. */
export function unseenLimitText({ run, spent }: RunState): string | null {
  return run && costLimitIsUnseen(spent, run.settings) ? unseenText(agentsOfUnknownCost(run.settings)) : null;
}

export function spentText(state: RunState): string {
  const tokens = tokensText(state.spent);
  return `${priceText(state.spent)}${perProvenText(state)}${tokens === '' ? '' : `, tokens ${tokens}`}`;
}

function priceText(spent: Spending): string {
  const total = totalCost(spent);
  return total === null ? (spent.attempts === 0 ? 'cost none' : 'cost unknown') : estimatedText(costText(total.usd), total);
}

const estimatedText = (text: string, { isEstimated }: TotalCost) => (isEstimated ? `${text} (estimated)` : text);

/** ` ($0.42 per proven task)`; empty if nothing is proven, or its cost is unknown. The cost of a run without tasks or stories is that of its one result. */
function perProvenText(state: RunState): string {
  const { hasItems, hasTasks } = factsOf(state.run?.settings);
  const each = hasItems ? costPerProven(state) : null;
  return each === null || each === 0 ? '' : ` (${costText(each)} per proven ${hasTasks ? 'task' : 'story'})`;
}

/** Told once, while there is time to raise the limit or to stop. */
export function budgetNearLines(
  { spent_usd, limit_usd, estimated }: Extract<EventBody, { type: 'budget.neared' }>,
  { glyphs }: DisplaySettings,
): readonly Line[] {
  const spent = estimatedText(costText(spent_usd), { usd: spent_usd, isEstimated: estimated });
  const percent = Math.floor((100 * spent_usd) / limit_usd);
  return [prose(span(`${glyphs.warning}${percent} % of the cost limit is spent: ${spent} of ${costText(limit_usd)}.`, 'busy'))];
}
