import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../support/deep.ts';
import { openPlace, type Place } from '../support/place.ts';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { openTerminal, terminalIsMissing } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const FLOOD = `i=0; while [ $i -lt 1500 ]; do i=$((i + 1)); echo "line $i of a great many that nobody reads, each of them long enough to fill the terminal"; done`;

/** Waits for a signal file, prints much more than a terminal buffers, reports that, and then continues. */
async function floodingRun(place: Place, rest: string, ...more: readonly string[]): Promise<string[]> {
  await place.write('.ralph/settings.json', '{"shutdownGrace": {"sigint": "1s", "sigterm": "1s"}}');
  await place.write('agent.sh', `cat > prompt; while ! [ -e go ]; do sleep 0.1; done; ${FLOOD}; : > flooded; ${rest}\n`);
  return ['run', '-p', 'a', '--agent', 'sh agent.sh', '-m', '1', ...more];
}

const made = (place: Place, file: string) => until(`${file} is there`, () => existsSync(join(place.path, file)));

describe.skipIf(terminalIsMissing()).concurrent('a terminal that stops reading', () => {
  it('stops neither a signal nor the end of the process', async () => {
    await using place = await openPlace();
    using terminal = openTerminal(await floodingRun(place, 'sleep 600'), place.path, place.beside);
    await made(place, 'prompt');
    terminal.stopReading();
    await place.write('go', '');
    await made(place, 'flooded');
    process.kill(await terminal.ralphPid(), 'SIGTERM');
    expect(await terminal.exitCode()).toBe(143);
  });

  deepIt('limits are timers, which a blocked write does not stop')('stops no limit', async () => {
    await using place = await openPlace();
    using terminal = openTerminal(await floodingRun(place, 'sleep 600', '--idle-timeout', '4s'), place.path, place.beside);
    await made(place, 'prompt');
    terminal.stopReading();
    await place.write('go', '');
    expect(await terminal.exitCode()).toBe(1);
  });

  it('gets the rest when it is read again', async () => {
    await using place = await openPlace();
    const rest = 'while ! [ -e end ]; do sleep 0.1; done; echo DONE';
    using terminal = openTerminal(await floodingRun(place, rest), place.path, place.beside);
    await made(place, 'prompt');
    terminal.stopReading();
    await place.write('go', '');
    await made(place, 'flooded');
    terminal.readAgain();
    await place.write('end', '');
    expect(await terminal.exitCode()).toBe(0);
    await until('the last line is shown', () => /folder {6}\S+\r?\n/.test(terminal.screen()));
    expect(terminal.screen()).toContain('line 1500 of a great many');
  });
});

describe.skipIf(terminalIsMissing()).concurrent('a terminal that is closed', () => {
  it('ends the run as a signal does', async () => {
    await using place = await openPlace();
    using terminal = openTerminal(await floodingRun(place, ':'), place.path, place.beside);
    await made(place, 'prompt');
    terminal.close();
    expect(await terminal.exitCode()).toBe(129);
  });
});

describe.concurrent('an unread pipe', () => {
  it('stops neither a signal nor the end of the process', async () => {
    await using place = await openPlace();
    const args = await floodingRun(place, 'sleep 600');
    const child = spawn(process.execPath, [CLI, ...args], { cwd: place.path, env: cleanEnv(place.path, { HOME: place.beside }), detached: true });
    const bound = setTimeout(() => child.kill('SIGKILL'), 60_000);
    await place.write('go', '');
    await made(place, 'flooded');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    clearTimeout(bound);
  });
});
