#!/usr/bin/env node
// A claude that follows a script. CLAUDE_SCRIPT holds its turns as JSON (claude-script.ts): the nth call plays the nth turn, later calls the
// last one. Every call is noted in the file CLAUDE_CALLS. What it prints has the shapes of test/fixtures/streams/claude; with
// `--output-format text` it prints its last word and nothing else, as the real one does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { CLAUDE_SCRIPT, CLAUDE_CALLS } = process.env;
const session_id = '6e7fb918-186c-40eb-a68f-7c78ae23f831';
const model = 'claude-opus-4-8';
const args = process.argv.slice(2);
const inText = args.join(' ').includes('--output-format text');
let tools = 0;
let lastWord = '';

const play = {
  init: () =>
    print({ type: 'system', subtype: 'init', cwd: process.cwd(), session_id, tools: ['Task', 'Bash', 'Edit', 'Read', 'Write'], mcp_servers: [], model }),
  say: (text) => print(assistant({ type: 'text', text })),
  async bash(command) {
    tools += 1;
    const id = `toolu_${tools}`;
    await print(assistant({ type: 'tool_use', id, name: 'Bash', input: { command, description: 'run' } }));
    const [code] = await once(spawn('sh', ['-c', command], { stdio: 'ignore' }), 'exit');
    const content = [{ tool_use_id: id, type: 'tool_result', content: `exit ${code}`, is_error: code !== 0 }];
    await print({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id });
  },
  // As the real one runs its tools: in a session of its own. Nobody waits for it.
  tool: (command) => spawn('sh', ['-c', command], { stdio: 'ignore', detached: true }).unref(),
  result: (text) => print(result({ result: text })),
  async limit({ resetsInMs, told }) {
    const resetsAt = Math.ceil((Date.now() + resetsInMs) / 1000);
    const text = `You've hit your session limit · resets ${wallTime(resetsAt * 1000)} (UTC)`;
    const rate_limit_info = { status: 'rejected', resetsAt, rateLimitType: 'five_hour', overageStatus: 'rejected', isUsingOverage: false };
    if (told === 'by event') await print({ type: 'rate_limit_event', rate_limit_info, session_id });
    await print({ ...assistant({ type: 'text', text }, '<synthetic>'), error: 'rate_limit' });
    await print(result({ is_error: true, api_error_status: 429, result: text, stop_reason: 'stop_sequence', total_cost_usd: 0, modelUsage: {} }));
    process.exit(1);
  },
  print: ({ text, times }) => write(text.repeat(times)),
  pause: (ms) => sleep(ms),
  async until(path) {
    while (!existsSync(path)) await sleep(20);
  },
  exit: leave,
  stay: () => new Promise(() => setInterval(() => {}, 1_000_000)),
};

function assistant(block, from = model) {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: from, content: [block], stop_reason: null, usage: {} };
  return { type: 'assistant', message, parent_tool_use_id: null, session_id };
}

function result(said) {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    api_error_status: null,
    duration_ms: 20,
    num_turns: 1,
    stop_reason: 'end_turn',
    session_id,
    total_cost_usd: 0.01,
    usage: { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 800, output_tokens: 50 },
    modelUsage: { [model]: { inputTokens: 1200, outputTokens: 50, cacheReadInputTokens: 800, cacheCreationInputTokens: 0, costUSD: 0.01 } },
    permission_denials: [],
    terminal_reason: 'completed',
    ...said,
  };
}

// `4:42am`: the seconds are cut off, as in the real texts.
function wallTime(ms) {
  const [hour, minute] = new Date(ms).toISOString().slice(11, 16).split(':');
  return `${Number(hour) % 12 || 12}:${minute}${Number(hour) < 12 ? 'am' : 'pm'}`;
}

function print(line) {
  if (inText) return remember(line);
  return write(`${JSON.stringify(line)}\n`);
}

// A result is printed when it comes, so that it is heard from an agent that stays as well.
async function remember({ type, message, result }) {
  if (type === 'assistant') lastWord = message.content[0].text ?? lastWord;
  if (type !== 'result') return;
  lastWord = result;
  await printLastWord();
}

async function printLastWord() {
  const word = lastWord;
  lastWord = '';
  if (word !== '') await write(`${word}\n`);
}

async function leave(code) {
  await printLastWord();
  process.exit(code);
}

function write(text) {
  return new Promise((resolve) => process.stdout.write(text, resolve));
}

appendFileSync(CLAUDE_CALLS, `${JSON.stringify({ atMs: Date.now(), args, prompt: readFileSync(0, 'utf8') })}\n`);
const calls = readFileSync(CLAUDE_CALLS, 'utf8').trimEnd().split('\n').length;
const turns = JSON.parse(CLAUDE_SCRIPT);
for (const step of turns[Math.min(calls, turns.length) - 1]) {
  const [[name, value]] = Object.entries(step);
  await play[name](value);
}
await leave(0);
