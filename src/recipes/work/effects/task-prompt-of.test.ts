import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAN_FILE, planTask, planWith } from '../../../../test/support/json-plan.ts';
import { openWorkStage, type WorkStage } from '../../../../test/support/plan-stage.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { taskPromptOf } from './task-prompt-of.ts';

const task = planTask('T-1', { title: 'Write the parser', verify: ['make test'] });
type Work = Parameters<typeof taskPromptOf>[0];
const work = (over: Partial<Work> = {}): Work => ({ task, n: 1, feedback: '', goes_on: false, prompt: null, ...over });

function told({ ports }: WorkStage, over: Partial<Work> = {}, spec: Partial<WorkSpec> = {}) {
  const gates = [{ command: 'make lint', failAction: 'APPEND' as const, hint: null, timeoutMs: 0 }];
  return taskPromptOf(work(over), { ...ports, settings: { ...ports.settings, gates, work: { ...ports.settings.work, ...spec } } }, []);
}

describe('the prompt of a task', () => {
  it('says what to do, what to read and what proves it', async () => {
    const stage = await openWorkStage(planWith(task), { 'AGENTS.md': 'rules\n' });
    const prompt = await told(stage);
    for (const part of [
      'Write the parser for demo',
      '- `AGENTS.md`',
      `- \`${PLAN_FILE}\``,
      '- `make test` is green',
      '- `make lint` is green',
      'ralph task complete T-1',
    ])
      expect(prompt).toContain(part);
    expect(prompt).not.toContain('CLAUDE.md');
    expect(prompt).not.toContain('earlier try');
  });

  it("uses the operator's template, read again each time", async () => {
    const stage = await openWorkStage(planWith(task));
    const template = join(stage.repo.beside, 'prompt.md');
    await writeFile(template, 'Do {{task.id}}.\n');
    expect(await told(stage, {}, { template })).toBe('Do T-1.\n');
    await writeFile(template, 'Do {{task.id}} for {{project}} now.\n');
    expect(await told(stage, {}, { template })).toBe('Do T-1 for demo now.\n');
    expect(await told(stage, { feedback: 'make test is red' }, { template })).toMatch(
      /^Do T-1 for demo now\.\n\n.*earlier try.*\n\n```\nmake test is red\n```\n$/s,
    );
  });

  it('is null when the template cannot be read', async () => {
    const stage = await openWorkStage(planWith(task));
    const template = join(stage.repo.beside, 'gone.md');
    expect(await told(stage, {}, { template })).toEqual({ path: template, reason: 'ENOENT' });
  });

  it('is the output of the prompt command, word for word, and why the last try failed', async () => {
    const stage = await openWorkStage(planWith(task));
    expect(await told(stage, { prompt: '  Do {{task.id}}!\n' })).toBe('  Do {{task.id}}!\n');
    expect(await told(stage, { prompt: 'Do {{task.id}}!\n', feedback: 'it is red' })).toMatch(/^Do \{\{task\.id\}\}!\n\n.*earlier try.*it is red/s);
  });

  it('is built from the task alone while the plan is being edited', async () => {
    const stage = await openWorkStage(planWith(task));
    await stage.repo.write(PLAN_FILE, '{ "tasks": [');
    expect(await told(stage)).toContain('Write the parser for this project');
  });
});
