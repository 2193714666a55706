import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runningWithMarker } from '../../support/live-processes.ts';
import { openRootStage } from '../../support/root-stage.ts';
import { until } from '../../support/until.ts';

/** A program that uses the built library: its agent ends in the first start, and would run for an hour in the second. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
const [library, runDir] = process.argv.slice(1);
const { superviseRoot } = await import(library);
await superviseRoot({
  runDir,
  restartDelay: 0,
  async runRoot(signal, attempt, { cwd, env }) {
    if (attempt > 0) await once(spawn('sh', ['-c', ': > busy; setsid -f sleep 3600; exec sleep 3600'], { cwd, env, signal, stdio: 'ignore' }), 'exit');
  },
});
`;
const LIBRARY = new URL('../../../dist/index.js', import.meta.url).href;

it('processes of an agent are ended when its program is killed, and another program continues the run', async () => {
  await using stage = await openRootStage();
  const program = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, LIBRARY, stage.runDir], { cwd: stage.path, stdio: 'inherit' });
  const killed = once(program, 'exit');
  await until('the second life is at work', () => existsSync(join(stage.path, 'busy')));
  const runId = readdirSync(join(stage.runDir, 'runs')).find((name) => !name.includes('.lock')) ?? '';
  program.kill('SIGKILL');
  await killed;
  await until('nothing of it is left', () => runningWithMarker(`${runId}~1`).length === 0);

  expect(await stage.supervise(() => stage.writeDone(), { resume: runId })).toMatchObject({ done: true, restarts: 2, runId });
  expect(stage.attempts).toEqual([1]);
});
