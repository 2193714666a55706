import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { FILES_OF_RUN, tricksOf } from '../../support/hostile-place.ts';
import { type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';

const COMMITS = { settings: { scm: { command: 'git', tasks: ['commit'] } } };
const run = (stage: HostileStage, ...more: readonly string[]) =>
  stage.ralph('run', '-p', 'Do it.', '-m', '1', ...stage.agent, '--agent-kind', 'claude', '--guardrail', 'sh check.sh', '--json', ...more);

/** What the gate and the hook found in their environment: they have run what the agent wrote. */
const wasTrapped = ({ repo }: HostileStage, who: string) => existsSync(join(repo.path, `${who}-env.txt`));

/** What is stopped although there is no wall: the environment is a list, and a snapshot of the run is written anew. */
const STOPPED_WITHOUT_A_WALL = ['change run.json', 'print the variables', 'print the variables by the gate', 'print the variables by the hook'];

/** Whoever hides is ended if the loop happened to see it before, as it does on a busy machine. */
const BY_CHANCE = 'outlive the run';

describe.skipIf(bubblewrapIsMissing())('an agent that tries every trick', () => {
  it('gets through with all of them where there is no Ralph', async () => {
    await using stage = await openHostileStage();
    await stage.alone();
    expect(await stage.through()).toEqual(tricksOf(stage.place));
    expect(stage.visits()).toBe(5);
  });

  it('gets through with none in the os sandbox, and the run is told what was refused', async () => {
    await using stage = await openHostileStage(COMMITS);
    const { code, stderr, result } = await run(stage, '--sandbox=os');
    expect(code, stderr).toBe(0);
    expect(await stage.through()).toEqual([]);
    expect(stage.visits()).toBe(0);
    expect(
      ['gate', 'hook'].filter((who) => wasTrapped(stage, who)),
      stderr,
    ).toEqual(['gate', 'hook']);
    expect(result?.sandbox).toMatchObject({ mode: 'os', forced: true, gates: 'inside' });
    const { place, home, repo } = stage;
    const planted = [join(home, '.claude/CLAUDE.md'), join(repo.path, 'ralph.yaml')];
    expect(result?.sandbox.refused).toEqual([
      { what: 'network', target: `${place.network.otherHost}:${place.network.otherPort}` },
      ...planted.map((target) => ({ what: 'planted', target })),
    ]);
  });

  it('gets through with what SECURITY.md says where there is no wall', async () => {
    await using stage = await openHostileStage(COMMITS);
    const { 'change the journal': _, ...ofRun } = FILES_OF_RUN;
    // With these no commit is made any more, and so no hook is run.
    const { 'lead git elsewhere': _elsewhere, 'change the settings of git': _settings, ...writes } = stage.place.writes;
    await stage.tell({ killWith: 0, ofRun, writes });
    const { code, stderr, result } = await run(stage, '--no-sandbox');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('[ralph] WARNING: Running with --dangerously-skip-permissions without sandbox isolation');
    expect(result?.sandbox).toMatchObject({ mode: 'guard', forced: true });
    const through = await stage.through();
    expect(tricksOf(stage.place).filter((trick) => trick !== BY_CHANCE && !through.includes(trick))).toEqual(STOPPED_WITHOUT_A_WALL);
  });

  it('is caught without a wall when it changes the journal', async () => {
    await using stage = await openHostileStage();
    await stage.tell({ killWith: 0 });
    const { code, stderr } = await run(stage, '--no-sandbox');
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('is not what ralph wrote') });
  });

  it('ends the loop where there is no wall', async () => {
    await using stage = await openHostileStage();
    const { signal } = await run(stage, '--no-sandbox');
    expect(signal).toBe('SIGKILL');
  });
});
