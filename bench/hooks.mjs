// What an agent waits for at every tool call: its hooks through the loop's socket and through the bundled file, against bare node in the same run.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hookFlags } from '../.cache/inside/src/recipes/review/start/open-stories.js';
import { plan } from './hooks/plan.mjs';
import { CLI, interleaved, median, report } from './measure.mjs';

const ROUNDS = 40;
const MEGABYTE = 1024 ** 2;
const BASE = 'node -e 0';
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-hooks-'));
const at = (name) => join(folder, name);
const built = (path) => fileURLToPath(new URL(path, import.meta.url));
const hookEntry = built('../plugin/hooks/ralph-hook.cjs');
const events = { stop: 'Stop', context: 'PostToolUse', guard: 'PreToolUse' };

/** Its last token count fits into any context window, so the hook has nothing to report. */
function writeTranscript(name, bytes) {
  const line = `${JSON.stringify({ type: 'user', message: { content: 'x'.repeat(2_000) } })}\n`;
  writeFileSync(at(name), line.repeat(Math.ceil(bytes / line.length)));
  appendFileSync(at(name), `${JSON.stringify({ type: 'assistant', message: { model: 'm', usage: { input_tokens: 100 } } })}\n`);
  return at(name);
}

async function openDoor(socket) {
  const door = spawn(process.execPath, [built('./hooks/door.mjs'), socket, folder], { stdio: ['pipe', 'inherit', 'inherit'] });
  while (!existsSync(socket)) await sleep(5);
  return door;
}

const byNode = (...args) => [process.execPath, ...args];

/** The command as the loop configures it for claude, which runs it in a shell. */
function byShell(doorPath, name) {
  const { hooks } = JSON.parse(hookFlags({ doorPath, hookEntry, node: process.execPath })[1]);
  return ['/bin/sh', '-c', hooks[events[name]][0].hooks[0].command];
}

function goalOf(name) {
  if (name === BASE || name.includes('git')) return '';
  return name.includes('of the loop') ? 'at most 0.3x' : 'at most 1.3x';
}

mkdirSync(at('ralph'));
writeFileSync(at('ralph/tasks.json'), JSON.stringify(plan));
mkdirSync(at('door'), { mode: 0o700 });
const socket = at('door/s.sock');
const door = await openDoor(socket);
try {
  const about = (transcript_path) => JSON.stringify({ session_id: 's', cwd: folder, transcript_path, tool_name: 'Write', tool_input: { file_path: 'a.ts' } });
  const small = about(writeTranscript('small.jsonl', 1_000));
  const large = about(writeTranscript('large.jsonl', 50 * MEGABYTE));
  const runs = {
    [BASE]: [byNode('-e', '0'), small],
    'context, of the loop': [byShell(socket, 'context'), small],
    'context, of the loop, 50 MB': [byShell(socket, 'context'), large],
    'guard, of the loop': [byShell(socket, 'guard'), small],
    'stop, of the loop, and git': [byShell(socket, 'stop'), small],
    'context, without it': [byNode(hookEntry, 'context'), small],
    'context, without it, 50 MB': [byNode(hookEntry, 'context'), large],
    'guard, without it': [byNode(hookEntry, 'guard'), small],
    'context, without it, by its shell': [byShell(at('none.sock'), 'context'), small],
    'ralph hook context': [byNode(CLI, 'hook', 'context'), small],
  };
  const env = { ...process.env, TMPDIR: folder };
  const times = interleaved(Object.keys(runs), ROUNDS, (name) => {
    const [[file, ...args], input] = runs[name];
    spawnSync(file, args, { cwd: folder, env, input });
  });
  for (const [name, list] of Object.entries(times))
    report(`hooks: ${name}`, `${median(list).toFixed(1)} ms`, `${(median(list) / median(times[BASE])).toFixed(2)}x`, goalOf(name));
} finally {
  door.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}
