// The baseline: read the same pipe, cut it into lines, parse each, keep nothing.
import { spawn } from 'node:child_process';
import { peakMb } from './peak.mjs';

const [, , flood, megabytes] = process.argv;
const startMs = performance.now();
const child = spawn(process.execPath, [flood, megabytes], { stdio: ['ignore', 'pipe', 'inherit'] });
let rest = '';
child.stdout.setEncoding('utf8');
for await (const chunk of child.stdout) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) JSON.parse(line);
}
console.log(JSON.stringify({ ms: performance.now() - startMs, peakMb: peakMb() }));
