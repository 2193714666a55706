import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noHistoryKept } from '../../../test/support/memory-git.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { superviseSettings } from '../../../test/support/supervise-spec.ts';
import type { AgentPort } from '../../engine/ports/agent.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { Bus } from '../../engine/ports/supervision.ts';
import type { BusMessage } from '../../journal/messages.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { promptOf } from './prompt-of.ts';

const RUN_FOLDER = '/tasks/demo/task-20260115-044055-docs/runs/r1';
type Asked = Parameters<typeof promptOf>[0];

const asked: Asked = { role: 'work', iteration: 1, maximum: 0, prompt: null, failures: [], context: null, previous_life: null };
const second: Asked = { ...asked, iteration: 2, previous_life: { iteration: 1, attempt: 1 } };
const text = (words: string): Pick<RunSettings, 'prompt'> => ({ prompt: { from: 'text', text: words } });

/** An agent whose recorded output is given for each folder. */
function agentWith(spools: Readonly<Record<string, readonly AgentEvent[] | Error>>, speaks: 'events' | 'lines' = 'events'): AgentPort {
  return {
    name: 'remembered',
    outputFormat: () => speaks,
    describe: async () => [],
    run: async () => ({ kind: 'exited', code: 0 }),
    async replay({ folder }, onEvent) {
      const spool = spools[folder];
      if (spool instanceof Error) throw spool;
      for (const event of spool ?? []) onEvent(event);
      return spool ? 'replayed' : null;
    },
  };
}

function busWith(last: Bus['last']): Bus {
  return {
    path: '/tasks/demo/task-20260115-044055-docs/TASK-MESSAGE-BUS.md',
    post: async () => 'MSG-1',
    last,
    since: async () => [],
    bytesSince: async () => 0,
  };
}

interface World {
  readonly settings?: RunSettings;
  readonly agent?: AgentPort;
  readonly bus?: Bus;
}

async function promptFor(effect: Asked, { settings, agent, bus }: World = {}): Promise<string> {
  const taskBus = bus ?? busWith(async () => []);
  const nobody = {} as never;
  const ports: Parameters<typeof promptOf>[1] = {
    settings: settings ?? superviseSettings({}, text('Write the docs.')),
    agent: agent ?? agentWith({}),
    place: { markerPrefix: 'r1~1', workspace: '/place', runFolder: RUN_FOLDER, viewFolder: '/place/.ralph' },
    supervision: { task: nobody, children: nobody, taskBus, projectBus: taskBus } satisfies Ports['supervision'],
    history: noHistoryKept,
    changedSpec: async () => ({ text: null, isNew: false }),
  };
  const prompt = await promptOf(effect, ports, async () => undefined);
  if (typeof prompt !== 'string') throw new Error(prompt.reason);
  return prompt;
}

const folderOf = (iteration: string, attempt = 1) => join(RUN_FOLDER, 'iterations', iteration, `${attempt}-work`);
const said = (words: string): AgentEvent => ({ type: 'message', text: words });

describe('the prompt of a supervised agent', () => {
  it('names the variables of its environment', async () => {
    expect((await promptFor(asked)).split('\n\n')[0]?.split('\n')).toEqual([
      'TASK_FOLDER=/tasks/demo/task-20260115-044055-docs',
      'RALPH_PROJECT_ID=demo',
      'RALPH_TASK_ID=task-20260115-044055-docs',
      'RALPH_RUN_ID=r1',
      'RALPH_RUNS_DIR=/tasks/demo/task-20260115-044055-docs/runs',
      'RALPH_MESSAGE_BUS=/tasks/demo/task-20260115-044055-docs/TASK-MESSAGE-BUS.md',
      'RALPH_TASK_FOLDER=/tasks/demo/task-20260115-044055-docs',
      `RALPH_RUN_FOLDER=${RUN_FOLDER}`,
    ]);
  });

  it('is that of a child for a job, and names its parent', async () => {
    const prompt = await promptFor(asked, { settings: superviseSettings({ parent: 'r0' }, { recipe: 'job', ...text('A part.') }) });
    expect(prompt).toContain('\nRALPH_PARENT_RUN_ID=r0\n');
    expect(prompt).toContain('This run is over when you end');
  });

  it('ends with the restart text and the task after the first start', async () => {
    expect((await promptFor(asked)).endsWith('\n\n---\n\nWrite the docs.')).toBe(true);
    expect((await promptFor(second)).endsWith('\n\n---\n\nContinue working on the following:\n\nWrite the docs.')).toBe(true);
  });

  it('quotes the last words of the previous agent, and why it failed', async () => {
    const events: AgentEvent[] = [
      said('First.'),
      said('Then.'),
      { type: 'message', text: 'of a helper', subagent: 's' },
      { type: 'error', kind: 'other', message: 'no space left' },
    ];
    const prompt = await promptFor(second, { agent: agentWith({ [folderOf('001')]: events }) });
    expect(prompt).toContain('```text\nFirst.\n\nThen.\n```');
    expect(prompt).toContain('```text\nno space left\n```');
    expect(prompt).not.toContain('of a helper');
  });

  it('quotes plain output line by line, without colours', async () => {
    const agent = agentWith({ [folderOf('001')]: [said('\u001b[31mred\u001b[0m'), said('green')] }, 'lines');
    expect(await promptFor(second, { agent })).toContain('```text\nred\ngreen\n```');
  });

  it('stays small after an agent that printed far too much', async () => {
    const flood = Array.from({ length: 5000 }, (_, index) => said(`${index} ${'x'.repeat(10_000)}`));
    const prompt = await promptFor(second, { agent: agentWith({ [folderOf('001')]: [...flood, said('the end')] }) });
    expect(prompt.length).toBeLessThan(12_000);
    expect(prompt).toContain('the end\n```');
  });

  it('does without an output file or a bus that cannot be read', async () => {
    const agent = agentWith({ [folderOf('001')]: new Error('spoilt') });
    const bus = busWith(async () => {
      throw new Error('no bus');
    });
    expect(await promptFor(second, { agent, bus })).toContain('Continue working on the following:');
  });

  it('reads no more of the bus than fits', async () => {
    const asked: unknown[] = [];
    const bus = busWith(async (...args) => {
      asked.push(args);
      return [];
    });
    await promptFor(second, { bus });
    expect(asked).toEqual([[200, 16 * 1024 * 1024]]);
  });

  it('quotes the last messages of the bus, and the failed gates', async () => {
    const message: BusMessage = { msg_id: 'M1', ts: '2026-01-15T04:40:55Z', type: 'FACT', project_id: 'demo', body: 'half is done' };
    const effect: Asked = { ...second, failures: [{ action: 'APPEND', check: 'npm test', message: '1 failed' }] };
    const prompt = await promptFor(effect, { bus: busWith(async () => [message]) });
    expect(prompt).toContain('FACT: half is done');
    expect(prompt).toContain('DONE was refused: red: npm test.');
  });
});

describe('the prompt of any other agent', () => {
  it("is the operator's own", async () => {
    expect(await promptFor(asked, { settings: testSettings(text('Do the work.')) })).toBe('Do the work.');
  });
});
