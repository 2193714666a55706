import type { Usage } from '../../journal/words/agent-event.ts';
import { addUsage, countIn, type JsonObject, listIn, noUsage, numberIn, objectIn, textIn } from '../json.ts';

/** What a stream-json run has used: by its results, which tell it all, and by its messages, which tell it if no result comes any more. */
export interface StreamUsage {
  /** Takes one line of an answer. The CLI prints one line for each block of an answer, and repeats the usage in all of them. */
  hearMessage(message: JsonObject): void;
  /** The totals of the process, as far as its result tells them. */
  hearResult(line: JsonObject): Usage | null;
  /** The totals of a process that ended without a result, or worked on after its last one: the cost that it told last is not for all. Null: its results have told everything. */
  atTheEnd(): Usage | null;
}

/** Answers of sub-agents that work at the same time come mixed; older answers get no more lines. */
const MOST_OPEN = 100;
/** While an answer is being written, its line tells one token of output or so. What it says is then the better count. */
const CHARS_PER_TOKEN = 4;

interface Answer {
  readonly usage: Usage;
  readonly chars: number;
}

export function openStreamUsage(): StreamUsage {
  let told: Usage | null = null;
  let toldUsd: number | undefined;
  let unfinished = noUsage;
  const answers = new Map<string, Answer>();

  return {
    hearMessage(message) {
      const usage = tokensOf(objectIn(message['usage']));
      if (isNothing(usage)) return;
      const id = textIn(message['id']);
      const before = answers.get(id);
      answers.set(id, { usage: before === undefined ? usage : largerOf(before.usage, usage), chars: (before?.chars ?? 0) + charsIn(message) });
      const [oldest] = answers;
      if (answers.size <= MOST_OPEN || oldest === undefined) return;
      unfinished = addUsage(unfinished, usageOf(oldest[1]));
      answers.delete(oldest[0]);
    },
    hearResult(line) {
      const total = totalOf(line, told);
      // A turn that was interrupted tells nothing, although it has used something.
      if (total === null || (isNothing(total) && !total.costUsd)) return total;
      const { costUsd, ...tokens } = total;
      told = tokens;
      toldUsd = costUsd;
      unfinished = noUsage;
      answers.clear();
      return total;
    },
    atTheEnd() {
      const rest = [...answers.values()].map(usageOf).reduce(addUsage, unfinished);
      if (isNothing(rest)) return null;
      return { ...addUsage(told ?? noUsage, rest), ...(toldUsd !== undefined && { costUsd: toldUsd, afterCost: rest }) };
    },
  };
}

/** `modelUsage` and the cost are totals of the process, sub-agents included. `usage` is for one turn only, and all that amp has. */
function totalOf(line: JsonObject, before: Usage | null): Usage | null {
  const cost = numberIn(line['total_cost_usd']);
  const costs = cost === null || cost < 0 ? {} : { costUsd: cost };
  const models = objectIn(line['modelUsage']);
  if (models !== null) return { ...Object.values(models).map(modelUsage).reduce(addUsage, noUsage), ...costs };
  const turn = objectIn(line['usage']);
  if (turn === null && cost === null) return null;
  return { ...addUsage(before ?? noUsage, tokensOf(turn)), ...costs };
}

function modelUsage(value: unknown): Usage {
  const usage = objectIn(value);
  return {
    input: countIn(usage?.['inputTokens']),
    cacheRead: countIn(usage?.['cacheReadInputTokens']),
    cacheWrite: countIn(usage?.['cacheCreationInputTokens']),
    output: countIn(usage?.['outputTokens']),
  };
}

function tokensOf(usage: JsonObject | null): Usage {
  return {
    input: countIn(usage?.['input_tokens']),
    cacheRead: countIn(usage?.['cache_read_input_tokens']),
    cacheWrite: countIn(usage?.['cache_creation_input_tokens']),
    output: countIn(usage?.['output_tokens']),
  };
}

const isNothing = ({ input, cacheRead, cacheWrite, output }: Usage) => input + cacheRead + cacheWrite + output === 0;

const usageOf = ({ usage, chars }: Answer): Usage => ({ ...usage, output: Math.max(usage.output, Math.ceil(chars / CHARS_PER_TOKEN)) });

function largerOf(one: Usage, other: Usage): Usage {
  return {
    input: Math.max(one.input, other.input),
    cacheRead: Math.max(one.cacheRead, other.cacheRead),
    cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
    output: Math.max(one.output, other.output),
  };
}

/** What the model wrote: texts, thoughts, and what it called tools with. */
function charsIn(message: JsonObject): number {
  const blocks = listIn(message['content']).map(objectIn);
  return blocks.reduce((sum, block) => sum + textIn(block?.['text']).length + textIn(block?.['thinking']).length + inputChars(block?.['input']), 0);
}

const inputChars = (input: unknown) => (input === undefined ? 0 : JSON.stringify(input).length);
