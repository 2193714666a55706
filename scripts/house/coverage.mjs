// Runs node and asks V8 which scripts were loaded and how often each of their functions ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** By file and by the start of a function, including node processes that the process starts. */
export function coverageOf(args, { cwd, under }) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-house-'));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: folder, RALPH_SANDBOX: 'guard', HOME: cwd };
    const { error } = spawnSync(process.execPath, args, { cwd, env, stdio: 'ignore', timeout: 120_000 });
    if (error) throw error;
    return merged(
      readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result),
      under,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function merged(scripts, under) {
  const files = new Map();
  for (const { url, functions } of scripts.filter((script) => script.url.startsWith('file:'))) {
    const path = fileURLToPath(url);
    if (!path.startsWith(under)) continue;
    const counts = files.get(path) ?? new Map();
    for (const { functionName, ranges } of functions) {
      const where = `${functionName}@${ranges[0].startOffset}`;
      counts.set(where, (counts.get(where) ?? 0) + ranges[0].count);
    }
    files.set(path, counts);
  }
  return files;
}
