// The agent of `ralph torture`: on every call it does what its script says in the current folder, and claims to be done. It also stands in for claude.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { capture } from '../../process/capture.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { Script } from './loops/loop.ts';

const [packed = '', ...args] = process.argv.slice(2);
const script: Script = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());

async function act({ write, delete: gone, run }: Script['change']): Promise<void> {
  for (const [path, content] of Object.entries(write)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const path of gone) rmSync(path, { recursive: true, force: true });
  if (run === '') return;
  const { code, stdout, stderr } = await capture({ file: '/bin/sh', args: ['-e', '-c', run], cwd: process.cwd(), env: environment(), timeoutMs: 60_000 });
  if (code !== 0) process.stderr.write(`${stdout}${stderr}`);
}

const print = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Prints what claude prints for the requested format. */
function speak(): void {
  const { say } = script;
  const format = args.flatMap((arg, index) => (arg === '--output-format' ? [args[index + 1]] : arg.startsWith('--output-format=') ? [arg.slice(16)] : []))[0];
  const usage = { input_tokens: 10, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const session_id = '00000000-0000-4000-8000-000000000000';
  // For loops that ask for a schema: the fields that the common ones read.
  const structured_output = { success: true, summary: say, key_changes_made: ['done'], key_learnings: [], should_fully_stop: true };
  const told = { type: 'result', subtype: 'success', is_error: false, duration_ms: 1, num_turns: 1, result: say, session_id, total_cost_usd: 0.01, usage };
  const result = args.includes('--json-schema') ? { ...told, structured_output } : told;
  if (format === 'json') return void print(result);
  if (format !== 'stream-json') return void process.stdout.write(`${say}\n`);
  print({ type: 'system', subtype: 'init', session_id, model: 'scripted', cwd: process.cwd(), tools: ['Bash', 'Write'] });
  print({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: say }], usage }, session_id });
  print(result);
}

if (args.includes('--version') || args.includes('-v')) {
  process.stdout.write('2.1.0 (Claude Code)\n');
} else {
  // Waits for a caller that writes a prompt, but not for ever for one that leaves the input open.
  await Promise.race([text(process.stdin), pause(args.length === 0 ? 5_000 : 300, undefined, { ref: false })]);
  await act(script.change);
  await pause(script.takesMs);
  speak();
  process.stdin.destroy();
}
