import { definitionNamed } from '../agents/find-definition.ts';
import { budgetOf, pricesOf } from '../limits/budget.ts';
import { priceOf } from '../limits/price.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { RunSettings } from './schema/run-settings.ts';

/** Refuses a limit of the cost that nobody could keep to: what an agent costs must be known before it is started. */
export function checkBudget(settings: RunSettings): void {
  const { agent } = settings;
  if (budgetOf(settings).costUsd === null) return;
  const { reportsCost, speaks } = definitionNamed(agent.kind);
  if (reportsCost) return;
  if (speaks === 'lines')
    throw unknownCost(`the command "${agent.command}" tells neither its cost nor its tokens`, 'Leave --max-cost out, and set --max-time.');
  if (priceOf(agent.model ?? '', pricesOf(settings) ?? {}) !== null) return;
  const name = agent.model ?? '*';
  const price = `{"prices": {${JSON.stringify(name)}: {"input": …, "output": …}}} in .ralph/settings.json, in US dollars for a million tokens`;
  throw unknownCost(
    `${agent.kind} does not say what it costs, and ${agent.model === null ? 'its model is not named' : `there is no price for the model ${agent.model}`}`,
    agent.model === null ? `Name the model with --model and its price in prices, or one for all: ${price}.` : `Set ${price}.`,
  );
}

function unknownCost(reason: string, hint: string): OperatorError {
  return new OperatorError('cost-unknown', `--max-cost cannot be kept: ${reason}`, { hint, exitCode: 2 });
}
