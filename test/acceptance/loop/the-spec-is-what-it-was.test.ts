import { describe, expect, it, vi } from 'vitest';
import { CHECK, eventsOf, honest, openLoopStage, tries } from '../../support/loop-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const SPEC = '# The work\n\nWrite done into work.txt.\n';
const ORIGINAL = '## Task Specification\n\n# The work\n\nWrite done into work.txt.\n\n## Iteration Instructions';
const LOOP = ['loop', '--spec', 'spec.md', '--agent', 'claude', '--check', CHECK, '--json'];
const files = { 'spec.md': SPEC };

describe.concurrent('a specification', () => {
  it('that an agent weakens is given to the next one unchanged, and the change is reported once', async () => {
    await using stage = await openLoopStage([tries('echo "Do nothing." > spec.md'), tries('true'), honest], { files });
    const run = await stage.ralph(...LOOP);

    expect(run).toMatchObject({ code: 0, result: { done: true, iterations: 3 } });
    for (const prompt of stage.prompts()) expect(prompt.startsWith(ORIGINAL)).toBe(true);
    expect(eventsOf(run, 'spec.seen')).toMatchObject([{ path: expect.stringContaining('spec.md'), obeyed: false }]);
    expect(run.stderr).toContain('spec.md');
  });

  it('that changes is followed with --follow-spec', async () => {
    await using stage = await openLoopStage([tries('echo "Do less." > spec.md'), honest], { files });
    const run = await stage.ralph(...LOOP, '--follow-spec');

    expect(run).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(stage.prompts()[0]?.startsWith(ORIGINAL)).toBe(true);
    expect(stage.prompts()[1]).toMatch(/^## Task Specification\n\nDo less\.\n\n## /);
    expect(eventsOf(run, 'spec.seen')).toMatchObject([{ obeyed: true }]);
  });

  it.for([[], ['--follow-spec']])('that is deleted in the middle of the run stays what it was %s', async (more) => {
    await using stage = await openLoopStage([tries('rm spec.md'), honest], { files });
    const run = await stage.ralph(...LOOP, ...more);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(stage.prompts()[1]?.startsWith(ORIGINAL)).toBe(true);
    expect(eventsOf(run, 'spec.seen')).toMatchObject([{ obeyed: false }]);
  });

  it.for([
    ['is not there', 'nothing.md'],
    ['is a folder', 'folder'],
    ['is empty', 'empty.md'],
  ] as const)('that %s is refused before anything runs', async ([, path]) => {
    await using stage = await openLoopStage([honest], { files: { ...files, 'folder/a.md': 'a', 'empty.md': ' \n' } });
    const run = await stage.ralph('loop', '--spec', path, '--agent', 'claude', '--check', CHECK);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^error: .*\n(hint: .*\n)?$/);
    expect(stage.after()).toMatchObject({ calls: 0, changed: [] });
  });
});
