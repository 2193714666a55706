import { mkdtemp, rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deep } from '../support/deep.ts';
import { perSession } from '../support/model-server/scenario.ts';
import { run, say, usageLimit } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { bodiesOf, eventsIn, type Message } from '../support/supervise-stage.ts';
import { openSupervisedAgent, PROMPT } from '../support/supervised-agent.ts';

const agents = expectRealAgents();

type Name = 'claude' | 'codex';

const DONE = ': >"$TASK_FOLDER/DONE"';
const RESTART_PREFIX = 'Continue working on the following:\n\n';

const beginsThenFinishes = () =>
  perSession(
    [
      run('echo first >work.txt && ralph bus post --type PROGRESS --body "the first half is there"', 'I begin.'),
      say('The first half is there, the second is not.'),
    ],
    [run(`echo second >>work.txt && ralph bus post --type FACT --body "both halves are there" && ${DONE}`, 'I go on.'), say('Both are there.')],
  );

/** The process that wrote a message, as its id tells. */
const writerOf = ({ header }: Message) => Number(/^msg_id: .*-PID(\d+)-/m.exec(header)?.[1]);

describe.skipIf(agents.missing).each<Name>(['claude', 'codex'])('the real %s, supervised,', (name) => {
  it('ends without DONE and is restarted with the last result, posts on the bus, and is done with DONE', async () => {
    await using root = await openSupervisedAgent(agents, { name, scenario: beginsThenFinishes() });
    const { stage } = root;
    const ended = await stage.supervise(...root.words, '--max-restarts', '3');

    expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({
      code: 0,
      result: { stop_reason: 'completed', done: true, unproven: true, iterations: 2, restarts: 2, attempts: 2, tools: 2, tool_errors: 0 },
    });
    expect(root.read('work.txt')).toBe('first\nsecond\n');
    expect(root.processes()).toEqual([]);

    const [first = '', second = ''] = root.lives().map(({ prompt }) => prompt);
    expect(stage.prompts()).toEqual([first, second]);
    expect(first.endsWith(`\n---\n\n${PROMPT}`), first).toBe(true);
    expect(first).toContain(`\nWhen done, create: ${stage.task}/DONE\n`);
    expect(second.endsWith(`\n---\n\n${RESTART_PREFIX}${PROMPT}`), second).toBe(true);
    expect(second).toContain('```text\nI begin.\n\nThe first half is there, the second is not.\n```');
    expect(second).toMatch(/^\S+ PROGRESS: the first half is there$/m);

    expect(stage.messages().map(({ type, body }) => `${type} ${body.split('\n')[0]}`)).toEqual([
      'INFO starting root agent (restart #0)',
      'RUN_START run started',
      'PROGRESS the first half is there',
      'RUN_STOP run stopped with code 0',
      'INFO starting root agent (restart #1)',
      'RUN_START run started',
      'FACT both halves are there',
      'RUN_STOP run stopped with code 0',
      'INFO task completed (DONE marker present, no active children)',
    ]);
    expect(stage.projectMessages().map(({ type }) => type)).toEqual(['FACT']);
  });
});

deep('lives, limits and the door are held with scripted agents', () => {
  describe.skipIf(agents.missing)('what the real claude posts', () => {
    it('is written by its loop, over the socket', async () => {
      const posts = `ralph bus post --type FACT --body "it is there" && ${DONE}`;
      await using root = await openSupervisedAgent(agents, { name: 'claude', scenario: [run(posts), say('Done.')] });
      const running = root.stage.begin(...root.words);
      const ended = await root.stage.over(running);

      expect(ended, ended.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
      const fact = root.stage.messages().filter(({ type }) => type === 'FACT');
      expect(fact.map(writerOf)).toEqual([running.child.pid]);
      expect(fact[0]?.header).toContain(`\nrun_id: ${ended.result?.run_id}`);
    });
  });

  describe.skipIf(agents.missing)('the real codex', () => {
    it('can write DONE in any task folder, although its sandbox allows almost no writes', async () => {
      // Neither where it works nor in /tmp, which its sandbox leaves open.
      const tasks = await mkdtemp('/var/tmp/ralph-tasks-');
      try {
        await using root = await openSupervisedAgent(agents, { name: 'codex', scenario: [run(DONE), say('Done.')] });
        const ended = await root.stage.supervise(...root.words, '--root', tasks, '--max-restarts', '1');
        expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
      } finally {
        await rm(tasks, { recursive: true });
      }
    });

    it('is told what to do if its sandbox prevents it from starting a child', async () => {
      const asks = run(`ralph job --detach -p "help" -- true; ${DONE}`);
      await using root = await openSupervisedAgent(agents, { name: 'codex', scenario: [asks, say('Done.')] });
      expect((await root.stage.supervise(...root.words)).code).toBe(0);
      expect(root.toolResults()).toContain('sandbox_workspace_write.network_access=true');
    });
  });

  describe.skipIf(agents.missing)('a usage limit of the real codex', () => {
    it('costs no restart: the agent continues after the limit', async () => {
      // Two days ago: codex names the day then, and nobody waits for the end of a minute.
      const reset = Date.now() - 2 * 86_400_000;
      const scenario = perSession([usageLimit(reset)], [run(DONE), say('Done.')]);
      await using root = await openSupervisedAgent(agents, { name: 'codex', scenario });
      const ended = await root.stage.supervise(...root.words, '--max-restarts', '1');

      expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({
        code: 0,
        result: { stop_reason: 'completed', done: true, iterations: 1, restarts: 1, attempts: 2 },
      });
      expect(eventsIn(root.stage, 'attempt.ended').map(({ verdict }) => verdict)).toEqual(['limited', 'ok']);
      expect(bodiesOf(root.stage.messages(), 'INFO')).toEqual(['starting root agent (restart #0)', 'task completed (DONE marker present, no active children)']);
    });
  });
});
