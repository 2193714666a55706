import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf, sealLine } from '../../../src/store/journal-file.ts';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { ralphWithoutBubblewrap } from '../../support/hostile-no-bubblewrap.ts';
import { isMade, ownFolderIn } from '../../support/own-folder.ts';
import { openGitPlace, type Place } from '../../support/place.ts';
import { processesOf } from '../../support/processes-of.ts';
import { startRalph } from '../../support/ralph.ts';
import { until } from '../../support/until.ts';

const envOf = (place: Place) => ({ HOME: place.beside, XDG_RUNTIME_DIR: place.beside, RALPH_SANDBOX: 'auto' });
const allGone = (place: Place) => until('all it had started is gone', () => processesOf(dirname(place.path)).length === 0);

/** A run behind that wall whose loop was killed while its agent was at work, with a daemon beside it. Nothing of it lives any more. */
async function openKilledRun(...flags: readonly string[]): Promise<Place> {
  const place = await openGitPlace();
  await place.write('agent.sh', 'test -e go && { echo DONE; exit; }\nsetsid sleep 600 &\n: >busy\nexec sleep 600\n');
  const running = startRalph(['run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', ...flags], { cwd: place.path, env: envOf(place) });
  await until('the agent is at work', () => isMade(place.path, 'busy'));
  running.child.kill('SIGKILL');
  await running.ended;
  await allGone(place);
  return place;
}

const resumed = (place: Place) => place.ralph(['run', '--resume', '--json'], { env: envOf(place) });

describe.skipIf(bubblewrapIsMissing())('a run whose loop was killed', () => {
  it('in the sandbox leaves no process, and goes on in the same sandbox', async () => {
    await using place = await openKilledRun('--sandbox=os');
    await place.write('go', '');
    const { code, stderr, result } = await resumed(place);
    expect({ code, mode: result?.sandbox.mode }, stderr).toEqual({ code: 0, mode: 'os' });
    expect(stderr).toMatch(/^ {2}sandbox {5}os: /m);
    expect(existsSync(join(place.path, 'busy')), 'what was made until then has landed').toBe(true);
    expect(ownFolderIn(place.path), 'nothing is left').toBeNull();
  });

  it('in a copy of the work tree goes on in it, and what was made until then has landed', async () => {
    await using place = await openKilledRun('--no-sandbox', '--workspace=copy');
    expect(existsSync(join(place.path, 'busy'))).toBe(false);
    await place.write('go', '');
    const { code, stderr, result } = await resumed(place);
    expect({ code, workspace: result?.sandbox.workspace }, stderr).toEqual({ code: 0, workspace: 'copy' });
    expect([existsSync(join(place.path, 'busy')), existsSync(`${place.path}.ralph`)]).toEqual([true, false]);
  });

  it('does not go on without its sandbox, and goes on with it', async () => {
    await using place = await openKilledRun('--sandbox=os');
    await place.write('go', '');
    const refused = await ralphWithoutBubblewrap(['run', '--resume'], { cwd: place.path, env: envOf(place) });
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({ code: 4, stderr: expect.stringContaining('the sandbox "os" is not available') });
    expect((await resumed(place)).code).toBe(0);
  });

  it('before there were walls goes on without one', async () => {
    await using place = await openKilledRun('--no-sandbox');
    forgetWall(place);
    await place.write('go', '');
    const { code, stderr, result } = await resumed(place);
    expect({ code, sandbox: result?.sandbox }, stderr).toMatchObject({ code: 0, sandbox: { mode: 'guard', forced: false } });
  });
});

/** The journal as a version would have written it that knew of no walls. */
function forgetWall(place: Place): void {
  const journal = join(place.path, '.ralph/runs', runIn(place), 'journal.jsonl');
  let digest = '';
  const lines = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { d: _, ...event } = JSON.parse(line);
      if (event.settings !== undefined) delete event.settings.wall;
      const text = JSON.stringify(event);
      digest = digestOf(digest, text);
      return sealLine(text, digest);
    });
  writeFileSync(journal, `${lines.join('\n')}\n`);
}

function runIn(place: Place): string {
  const [run = ''] = place
    .everything()
    .map((path) => /\.git\/ralph\/runs\/([^/]+)\/journal\.jsonl$/.exec(path)?.[1])
    .filter((run) => run !== undefined);
  return run;
}
