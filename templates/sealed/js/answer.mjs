import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Answers every question on standard input. A question is "<nonce> <input as JSON>", an answer "<nonce> <value as JSON>".
export async function answer(ask) {
  for await (const line of createInterface({ input: process.stdin })) {
    const space = line.indexOf(' ');
    const value = await ask(JSON.parse(line.slice(space + 1)));
    writeSync(1, `\n${line.slice(0, space)} ${JSON.stringify(value) ?? 'null'}\n`);
  }
}
