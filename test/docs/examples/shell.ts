import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Printed {
  readonly code: number | null;
  /** Standard output and standard error, merged as on a terminal. */
  readonly output: string;
}

/** Types a line and waits for its end. The directory and `$?` are kept between lines, as in an interactive shell. */
export type TypeLine = (command: string) => Promise<Printed>;

interface Place {
  readonly cwd: string;
  /** A folder for what does not belong to the work. */
  readonly beside: string;
  readonly env: Readonly<Record<string, string>>;
  readonly longestMs: number;
}

export async function openShell({ cwd, beside, env, longestMs }: Place): Promise<TypeLine> {
  const placeFile = join(beside, 'place');
  let before = 0;
  await writeFile(placeFile, cwd);
  return async (command) => {
    const place = (await readFile(placeFile, 'utf8')).trimEnd();
    const script = `exec 2>&1; trap 'pwd > "$PLACE_FILE"' EXIT; (exit ${before})\n${command}`;
    const child = spawn('sh', ['-c', script], { cwd: place, env: { ...env, PLACE_FILE: placeFile }, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const late = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), longestMs);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const output = await text(child.stdout);
    const code = await ended;
    clearTimeout(late);
    before = code ?? 1;
    return { code, output };
  };
}
