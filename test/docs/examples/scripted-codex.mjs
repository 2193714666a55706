#!/usr/bin/env node
// A codex that claims completion at once. With `--json` it prints events, like the real one.
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

if (args.includes('--help')) {
  process.stdout.write('  --json\n  --sandbox <mode>\n');
} else {
  readFileSync(0);
  const text = '<response>DONE</response>';
  if (args.includes('--json')) {
    say({ type: 'thread.started', thread_id: '019a' });
    say({ type: 'turn.started' });
    say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });
    say({ type: 'turn.completed', usage: { input_tokens: 1000, cached_input_tokens: 800, output_tokens: 20 } });
  } else {
    process.stdout.write(`${text}\n`);
  }
}
