import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '../../src/journal/words/receipt.ts';
import { bash, print, type Step, type Turn, turn } from './claude-script.ts';
import { nameAuthor } from './committing-stage.ts';
import type { RunningRalph } from './ralph.ts';
import { receiptFrom } from './receipt-from.ts';
import { type EndedRun, journalOf, openStage, type Props, type Stage, WORK } from './stage.ts';

/** A stage for `ralph loop`, in a repository with an author. */
export interface LoopStage extends Stage {
  /** `ralph loop` with a task, the scripted claude, the check and `--json`, and what is given on top. */
  loop(...more: readonly string[]): Promise<EndedRun>;
  beginLoop(...more: readonly string[]): RunningRalph;
  prompts(): readonly string[];
}

export const TASK = 'Do the work.';
export const CHECK = 'sh check.sh';

/** `gate` is the check; null: there is none beside those the arguments name. */
export async function openLoopStage(script: readonly Turn[], { gate = CHECK, ...props }: Props = {}): Promise<LoopStage> {
  const stage = await openStage(script, props);
  nameAuthor(stage.repo);
  const check = gate === null ? [] : ['--check', gate];
  const words = (more: readonly string[]) => ['loop', TASK, '--agent', 'claude', ...check, '--json', ...more];
  return {
    ...stage,
    beginLoop: (...more) => stage.begin(...words(more)),
    loop: (...more) => stage.ralph(...words(more)),
    prompts: () => stage.calls().map(({ prompt }) => prompt),
  };
}

/** The final message of an agent, and its reported cost: any value, also an invalid one. */
export function endsAt(costUsd: number | string | null, text: string): Step {
  const cost = costUsd === null ? '' : `,"total_cost_usd":${costUsd}`;
  return print(
    `{"type":"result","subtype":"success","is_error":false,"result":${JSON.stringify(text)},"usage":{"input_tokens":10,"output_tokens":5}${cost}}\n`,
  );
}

/** The seed's two ways to end an answer. */
export const tries = (...commands: readonly string[]): Turn => turn(...commands.map(bash), endsAt(0.01, 'Not there yet.'));
export const finishes = (...commands: readonly string[]): Turn => turn(...commands.map(bash), endsAt(0.01, 'COMPLETE'));
export const honest: Turn = finishes(WORK);

/** What was written down of one kind, in order. */
export const eventsOf = (run: EndedRun, type: string) => journalOf(run).filter((event) => event['type'] === type);

/** The proof in the run's folder; throws for a text that is none. */
export function receiptOf({ result }: EndedRun): Receipt {
  return receiptFrom(readFileSync(join(result?.run_folder ?? '', 'receipt.json'), 'utf8'));
}
