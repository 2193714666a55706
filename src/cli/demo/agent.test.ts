import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hearLines } from '../../../test/support/recorded-streams.ts';
import { runBinary } from '../../../test/support/run-binary.ts';
import { streamJson } from '../../agents/stream-json/index.ts';
import { openDemoProject } from './demo.ts';
import { SOURCE } from './project-files.ts';

/** The built agent, as it is shipped. */
const AGENT = join(import.meta.dirname, '../../../dist/cli/demo/agent.js');
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

async function iterate(cwd: string, prompt: string) {
  const agent = await runBinary({ file: process.execPath, args: [AGENT], cwd, env, stdin: prompt, withinMs: 60_000 });
  const guardrail = await runBinary({ file: process.execPath, args: ['--test'], cwd, env, stdin: '', withinMs: 60_000 });
  const { summary } = hearLines(streamJson, agent.stdout.trimEnd().split('\n'));
  return { agent, guardrail, summary };
}

describe('the demo agent, in a real repository with real tests', () => {
  it('is red at first, then green by a cheat, and correct only after it is told that the guardrail is dead', async () => {
    await using project = await openDemoProject(env, false);
    const feedback = (output: string) => `Task.\n\nGuardrail "node --test" failed with exit code 1.\nOutput (truncated):\n${output}`;
    const source = () => readFileSync(join(project.path, SOURCE), 'utf8');

    const first = await iterate(project.path, 'Task.');
    expect(first.agent).toMatchObject({ code: 0, stderr: '' });
    expect(first.guardrail.code).toBe(1);

    const second = await iterate(project.path, feedback(first.guardrail.stdout));
    expect(second.guardrail.code).toBe(0);
    expect(source()).toContain('process.exit(0)');

    const third = await iterate(project.path, 'Task.\n\nfailures that were planted in a copy of your work went unnoticed');
    expect(third.guardrail.code).toBe(0);
    expect(source()).not.toContain('process.exit(0)');

    for (const { summary } of [first, second, third]) {
      expect(summary.text).toContain('<response>DONE</response>');
      expect(summary).toMatchObject({ unknownLines: 0, toolErrors: 0, terminal: { ok: true } });
      expect(summary.usage?.costUsd).toBeGreaterThan(0);
    }
    expect(await project.changes()).toContain('src/duration.js');
  });
});
