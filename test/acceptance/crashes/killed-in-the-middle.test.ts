import { describe, expect, it } from 'vitest';
import { expectSurvived } from '../../support/after-a-crash.ts';
import { type CrashWorld, endedRun, openCrashWorld } from '../../support/crash-world.ts';
import { until } from '../../support/until.ts';

const calls = (world: CrashWorld) => world.log().filter((line) => line.startsWith('agent'));

describe.concurrent('a run survives a crash in the middle of', () => {
  it.for([
    ['run-agent', 'agent', ['agent 1.1', 'agent 1.2', 'agent 2.1']],
    ['run-gates', 'gate', ['agent 1.1', 'agent 2.1']],
  ] as const)('%s 1.1, killed while its process is running', async ([, what, expectedCalls]) => {
    await using world = await openCrashWorld();
    await world.hang(what);
    const running = world.start();
    await until(`the ${what} is at work`, () => world.log().at(-1) === `${what} 1.1`);
    running.child.kill('SIGKILL');
    await running.ended;
    await expectSurvived(world, await world.resume());
    expect(calls(world)).toEqual(expectedCalls);
  });

  it('a run that is resumed early keeps its agent: the guardian of the dead loop does not end it', async () => {
    await using world = await openCrashWorld();
    await world.hang('agent');
    const running = world.start();
    await until('the agent is at work', () => world.log().length === 1);
    await using guardian = holdBackTheGuardian(world);
    running.child.kill('SIGKILL');
    await running.ended;
    await world.hang('agent');
    const resumed = world.start('--resume');
    await until('the next agent is at work', () => world.log().length === 2);
    // A forking shell appears twice for a moment, until its child runs another program.
    await until('only that one is at work, for the resumed run has itself ended the first', () => agentsAtWork(world).length === 1);
    await guardian.letGo();
    await world.release('agent');
    await expectSurvived(world, endedRun(await resumed.ended));
    expect(calls(world)).toEqual(['agent 1.1', 'agent 1.2', 'agent 2.1']);
  });
});

const agentsAtWork = (world: CrashWorld) => world.processes().filter(({ command }) => command.startsWith('/bin/sh ') && command.endsWith('agent.sh'));

function holdBackTheGuardian(world: CrashWorld): AsyncDisposable & { letGo(): Promise<void> } {
  const found = world.processes().filter(({ command }) => command.includes('ralph-guardian'));
  expect(found).toHaveLength(1);
  const pid = found[0]?.pid ?? Number.NaN;
  const isThere = () => world.processes().some((other) => other.pid === pid);
  const letGo = async () => {
    if (isThere()) process.kill(pid, 'SIGCONT');
    await until('the guardian has done its work', () => !isThere());
  };
  process.kill(pid, 'SIGSTOP');
  return { letGo, [Symbol.asyncDispose]: letGo };
}
