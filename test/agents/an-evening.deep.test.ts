// Deep: scripted agents play the same evening in `npm test`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/loop-stage.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { run, say, usageLimit } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { openWorkAgent, writes } from '../support/work-agent.ts';

const agents = expectRealAgents();

/** The first four begin at once, with claude. Once `limit` has met its limit, codex works on. */
const IDS = ['crash', 'limit', 'asks', 'plain1', 'impossible', 'plain2', 'plain3', 'plain4', 'plain5', 'plain6'];
const HOUR_MS = 3_600_000;

/** The sandbox of codex lets it neither commit nor claim through the socket: the loop does the first, the plan's file the second. */
const does = (command: string, task: string): Scenario => [run(`${command}; git add -A && git commit -qm mine; ralph task complete ${task}`), say('Done.')];
const works = (task: string) => does(writes(task), task);

describe.skipIf(agents.missing)('an evening of the real claude and codex with a budget, a limit, a crash, a question and an impossible task', () => {
  it('ends with a report to act on, and one message', async () => {
    const limited: Scenario = () => usageLimit(Date.now() + HOUR_MS);
    const parts = {
      ...Object.fromEntries(IDS.map((id) => [id, [works(id), works(id)]])),
      limit: [limited, works('limit')],
      crash: [[run('kill -9 $PPID; sleep 60')], works('crash')],
      asks: [[say('Two accounts would fit.\n\n<promise>BLOCKED: Which account shall I use?</promise>')]],
      impossible: [1, 2, 3, 4].map((nth) => does(`echo try ${nth} >impossible.txt`, 'impossible')),
    };
    // The guard would not let claude kill itself.
    const settings = { guard: { allow: ['kill'] }, notify: { command: { run: 'cat >> ../beside/told; echo >> ../beside/told' } } };
    const needs = Object.fromEntries(IDS.map((id) => [id, []]));
    await using crew = await openWorkAgent(agents, { name: 'claude,codex', needs, parts, settings, subscriber: true });
    const ended = await crew.work('--workers', '4', '--max-cost', '20', '--unproven-tries', '1');

    const why = `${ended.stderr}\n${crew.toolResults()}`;
    expect(ended, why).toMatchObject({ code: 3, result: { stop_reason: 'waiting', work: { tasks: { done: 8, parked: 1 } } } });
    const attempts = eventsOf(ended, 'attempt.ended');
    expect(attempts.filter(({ cause }) => (cause as { kind: string } | null)?.kind === 'limit').length, why).toBeGreaterThanOrEqual(1);
    expect(new Set(attempts.map(({ agent }) => agent))).toEqual(new Set(['claude', 'codex']));

    const report = JSON.parse((await crew.ralph('report', '--json')).stdout);
    expect(report.totals).toMatchObject({ proven: 8, not_proven: 2 });
    expect(report.questions).toMatchObject([{ task: 'asks', text: 'Which account shall I use?' }]);
    const commands = report.next.map(({ command }: { readonly command: string }) => command);
    const id = `${ended.result?.run_id}`;
    expect(commands).toEqual(
      expect.arrayContaining([`ralph answer --run ${id} --task asks "…"`, `ralph answer --run ${id} --task impossible "…"`, `ralph verify ${id}`]),
    );

    const lines = readFileSync(join(crew.repo.beside, 'told'), 'utf8').split('\n').filter(Boolean);
    const told = lines.map((line): { readonly events: readonly string[]; readonly title: string } => JSON.parse(line));
    expect(told.at(-1)).toMatchObject({ events: expect.arrayContaining(['ended']), title: expect.stringContaining('has stopped (waiting) and needs you') });
    // On a slow machine the question is told before the end.
    expect(told.length).toBeLessThanOrEqual(2);
  });
});
