import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Variables } from './docker-cli.ts';

/** Docker reads `NAME=value` line by line, without quotes or escapes, so a value cannot have several lines. */
function envFileText(env: Variables): { readonly text: string; readonly leftOut: readonly string[] } {
  const entries = Object.entries(env);
  const isSayable = ([name, value]: readonly [string, string]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/[\n\r\0]/.test(value);
  return {
    text: entries
      .filter(isSayable)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    leftOut: entries.filter((entry) => !isSayable(entry)).map(([name]) => name),
  };
}

/** Values never go on a command line, which every process of the machine may read. The folder is accessible to Ralph only. */
export async function writeEnvFile(folder: string, env: Variables, warn: (text: string) => void): Promise<string> {
  const { text, leftOut } = envFileText(env);
  if (leftOut.length > 0) warn(`not given to the Docker sandbox, since its file of variables has one line for each: ${leftOut.join(', ')}`);
  const file = join(folder, `${randomUUID()}.env`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
