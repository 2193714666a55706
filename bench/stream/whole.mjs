// The product: a run of one iteration whose agent prints a flood, with a console that discards its output.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { plainScreen } from '../../.cache/inside/src/report/console/recipe-screen.js';
import { openConsole } from '../../.cache/inside/src/report/terminal/console.js';
import { startRun } from '../../dist/index.js';
import { peakMb } from './peak.mjs';

const [, , flood, megabytes, folder] = process.argv;
let shown = 0;
const startMs = performance.now();
const { view } = await startRun({
  cwd: mkdtempSync(join(folder, 'workspace-')),
  prompt: { from: 'text', text: 'Read everything.' },
  over: { maximumIterations: 1, agent: { command: `${process.execPath} ${flood} ${megabytes}`, kind: 'stream-json' } },
  requireProof: false,
  projections: () => [
    openConsole({
      write: (text) => {
        shown += text.length;
      },
      width: 100,
      colour: true,
      quiet: false,
      verbose: false,
      secrets: [],
      runFolder: null,
      nowMs: Date.now,
      screen: plainScreen,
    }),
  ],
  obeySignals: false,
  signal: new AbortController().signal,
});
if (shown === 0) throw new Error('the console has shown nothing');
if (view.cost_usd !== 0.5) throw new Error('the result was not read');
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now() - startMs, peakMb: peakMb(), cpuMs: (user + system) / 1000, shown }));
