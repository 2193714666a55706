import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testSettings } from '../../../test/support/run-settings.ts';
import { scriptedWorld } from '../../../test/support/scripted-world.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { RunAgent } from '../../model/effect.ts';
import type { AgentPort } from '../ports/agent.ts';
import { runAgent } from './run-agent.ts';

const effect: RunAgent = { kind: 'run-agent', key: 'agent:1.1', iteration: 1, attempt: 1, role: 'work', failures: [], maximum: 10 };

interface Left {
  readonly prompt: boolean;
  /** Null: there is no spool. */
  readonly spool: readonly AgentEvent[] | null;
}

/** What is found in the folder of an attempt that a dead loop left like this. */
async function find({ prompt, spool }: Left) {
  await using folder = await openThrowAwayFolder();
  const { ports } = scriptedWorld({ turns: [], gates: [] }, testSettings(), folder.path);
  const attempt = join(folder.path, 'iterations', '001', '1-work');
  await mkdir(attempt, { recursive: true });
  if (prompt) await writeFile(join(attempt, 'prompt.md'), 'Do the work.');
  const replay: AgentPort['replay'] = async (_request, onEvent) => {
    for (const event of spool ?? []) onEvent(event);
    return spool && 'replayed';
  };
  return await runAgent.find(effect, { ...ports, agent: { ...ports.agent, replay } });
}

const said: AgentEvent = { type: 'message', text: '<response>DONE</response>' };
const spent: AgentEvent = { type: 'usage', input: 10, cacheRead: 0, cacheWrite: 0, output: 5, costUsd: 0.25 };
const ended: AgentEvent = { type: 'turn.finished', ok: true, text: '<response>DONE</response>', reason: 'completed' };

describe('of an agent that a dead loop had begun', () => {
  it('nothing is found when its prompt was never written', async () => {
    expect(await find({ prompt: false, spool: null })).toBeNull();
  });

  it('nothing is found when it never started', async () => {
    expect(await find({ prompt: true, spool: null })).toBeNull();
  });

  it('the fact is found when it had come to its end: its claim, and what it spent', async () => {
    expect(await find({ prompt: true, spool: [said, spent, ended] })).toMatchObject({
      key: 'agent:1.1',
      verdict: 'ok',
      ending: { kind: 'lost' },
      claim: { by: 'response', text: 'DONE' },
      spent: { cost_usd: 0.25 },
    });
  });

  it('an attempt that is to be made again is found when it was cut off, and what it had spent', async () => {
    expect(await find({ prompt: true, spool: [said, spent] })).toMatchObject({ verdict: 'lost', claim: null, spent: { cost_usd: 0.25 } });
  });
});
