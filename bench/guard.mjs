// The cost of the guard: one call of the bundled hook against bare node in the same run, and its check alone per kilobyte of command.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeCommand } from '../.cache/inside/src/sandbox/guard/judge-command.js';
import { interleaved, median, report } from './measure.mjs';

const ROUNDS = 40;
const BASE = 'node -e 0';
const hook = fileURLToPath(new URL('../plugin/hooks/ralph-hook.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-guard-'));

const LINE = 'cd src && npm test -- --run "$NAME" | tail -n 20; git commit -m "work on it" && grep -rn "rm -rf /" docs || echo done\n';
const commandOf = (bytes) =>
  LINE.repeat(Math.ceil(bytes / LINE.length))
    .slice(0, bytes - 1)
    .replace(/[^\n]*$/, '');
const inputOf = (command) => JSON.stringify({ session_id: 's', cwd: folder, tool_name: 'Bash', tool_input: { command } });

try {
  const runs = {
    [BASE]: [['-e', '0'], ''],
    'guard, a command': [[hook, 'guard'], inputOf('npm test && git status')],
    'guard, a file': [[hook, 'guard'], JSON.stringify({ session_id: 's', cwd: folder, tool_name: 'Write', tool_input: { file_path: 'a.ts' } })],
    'guard, a command of 10 kB': [[hook, 'guard'], inputOf(commandOf(10_000))],
  };
  const env = { ...process.env, TMPDIR: folder };
  const times = interleaved(Object.keys(runs), ROUNDS, (name) => {
    const [args, input] = runs[name];
    spawnSync(process.execPath, args, { cwd: folder, env, input });
  });
  for (const [name, list] of Object.entries(times)) {
    const ratio = (median(list) / median(times[BASE])).toFixed(2);
    report(`guard: ${name}`, `${median(list).toFixed(1)} ms`, `${ratio}x`, name === BASE || name.includes('10 kB') ? '' : 'at most 1.5x');
  }

  const place = { lists: { allow: [], deny: [], warn: [] }, cwd: '/p', home: '/home/u', root: '/p' };
  const sizes = { '1 kB': 1_000, '10 kB': 10_000, '100 kB': 100_000 };
  const judged = interleaved(Object.keys(sizes), ROUNDS, (name) => judgeCommand(commandOf(sizes[name]), place));
  const perKb = (name) => median(judged[name]) / (sizes[name] / 1_000);
  for (const name of Object.keys(sizes))
    report(`guard: judging ${name}`, `${median(judged[name]).toFixed(2)} ms`, `${perKb(name).toFixed(2)} ms/kB`, 'the same per kB');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
