// A scripted coding agent: prompt on stdin, Claude Code's stream-json on stdout, real edits in the current folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Step, stepsFor } from './agent-turn.ts';
import { SOURCE } from './project-files.ts';

const { values } = parseArgs({ options: { 'pause-ms': { type: 'string', default: '0' } } });
const pauseMs = Number(values['pause-ms']);
const startedMs = Date.now();

let calls = 0;
let printed = 0;

function print(message: object): void {
  const line = JSON.stringify(message);
  printed += line.length;
  process.stdout.write(`${line}\n`);
}

function say(block: object): void {
  print({ type: 'assistant', message: { role: 'assistant', content: [block] } });
}

/** Prints the tool call, carries it out and prints its result, like a real agent. */
async function useTool(name: string, input: object, work: () => string): Promise<void> {
  calls += 1;
  const id = `toolu_${calls}`;
  say({ type: 'tool_use', id, name, input });
  await pause(pauseMs);
  print({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...attempt(work) }] } });
}

function attempt(work: () => string): { readonly content: string; readonly is_error: boolean } {
  try {
    return { content: work(), is_error: false };
  } catch (error) {
    return { content: (error as Error).message, is_error: true };
  }
}

function edit({ path, from, to }: Extract<Step, { kind: 'edit' }>): string {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(from)) throw new Error(`The text to replace is not in ${path}.`);
  writeFileSync(
    path,
    before.replace(from, () => to),
  );
  return `The file ${path} has been updated.`;
}

async function take(step: Step): Promise<void> {
  switch (step.kind) {
    case 'say':
      return say({ type: 'text', text: step.text });
    case 'read':
      return await useTool('Read', { file_path: step.path }, () => readFileSync(step.path, 'utf8'));
    case 'edit':
      return await useTool('Edit', { file_path: step.path, old_string: step.from, new_string: step.to }, () => edit(step));
    case 'plan':
      return await useTool('TodoWrite', { todos: step.items }, () => 'Todos have been modified successfully.');
    default:
      return step satisfies never;
  }
}

/** About what a real agent would report: four characters per token, at the price of a mid-range model. */
function result(prompt: string, last: string): object {
  const usage = {
    input_tokens: Math.ceil((prompt.length + printed) / 4),
    output_tokens: Math.ceil(printed / 4),
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  const total_cost_usd = (usage.input_tokens * 3 + usage.output_tokens * 15) / 1_000_000;
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: last,
    duration_ms: Date.now() - startedMs,
    num_turns: calls + 1,
    total_cost_usd,
    usage,
  };
}

async function main(): Promise<void> {
  const prompt = await text(process.stdin);
  print({ type: 'system', subtype: 'init', session_id: `demo-${process.pid}`, model: 'scripted', tools: ['Read', 'Edit', 'TodoWrite'] });
  const steps = stepsFor(prompt, readFileSync(SOURCE, 'utf8'));
  for (const step of steps) {
    await pause(pauseMs);
    await take(step);
  }
  const last = steps.at(-1);
  print(result(prompt, last?.kind === 'say' ? last.text : ''));
}

void main();
