import type * as z from 'zod';
import { definitionNamed } from '../agents/find-definition.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { budgetOf, priceOf, pricesOf } from '../limits/money.ts';
import { protectedPaths } from '../proof/judge/acceptance.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunSettings } from './schema/run-settings.ts';
import { SettingsFile } from './schema/settings-file.ts';

interface Place {
  /** Such as `guardrails[1].command`. */
  readonly key: string;
  readonly path: readonly PropertyKey[];
}

/** Makes the error from a one-line problem that begins with the key. */
type Refuse = (problem: string, place: Place) => OperatorError;

/** Returns the settings or throws for the first problem. Files and the command line use the same check. */
export function checkSettings(input: unknown, refuse: Refuse): SettingsFile {
  return checkAgainst(SettingsFile, input, refuse);
}

export function checkAgainst<Schema extends z.ZodType>(schema: Schema, input: unknown, refuse: Refuse): z.infer<Schema> {
  // Compiling the schema does not pay off for one or two checks.
  const checked = schema.safeParse(input, { jitless: true });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue ? pathOf(issue) : [];
  const key = keyOf(path);
  throw refuse(`${key || 'the settings'} ${issue?.message}`, { key, path });
}

function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

const keyOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${nameOf(String(part))}`)).join('');

const nameOf = (key: string) => (/^[$\w-]{1,60}$/.test(key) ? key : truncateCodePoints(JSON.stringify(key), 60, '…'));

/** Refuses a cost limit if Ralph cannot know what the agent costs. */
export function checkBudget(settings: RunSettings): void {
  const { agent } = settings;
  if (budgetOf(settings).costUsd === null) return;
  const { reportsCost, outputFormat } = definitionNamed(agent.kind);
  if (reportsCost) return;
  if (outputFormat === 'lines')
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

/** How many dirty paths the journal lists; their count is always complete. */
const REMEMBERED_PATHS = 100;

export type StartState = Extract<EventBody, { type: 'run.started' }>['found'];

/** The workspace at the start of a run. The start tree is kept in the repository only if the run needs it later: for a loop, protected paths or a proof. */
export async function startState({ git }: Workspace, settings: RunSettings): Promise<StartState> {
  const found = (await git?.snapshot(keepsTrees(settings))) ?? null;
  return found && { ...found, dirty: found.dirty.slice(0, REMEMBERED_PATHS), dirty_count: found.dirty.length };
}

/** Whether the trees that a run inspects are kept in the repository. */
export function keepsTrees(settings: RunSettings): boolean {
  return settings.loop !== null || settings.proof !== undefined || protectedPaths(settings).length > 0;
}
