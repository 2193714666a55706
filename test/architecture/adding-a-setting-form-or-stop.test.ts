import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBinary } from '../support/run-binary.ts';
import { openSourceCopy, type SourceCopy } from '../support/source-copy.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const FORM = `
import { oneFilePlan, type PlanForm } from '../plan-form.ts';
import { openPage, readJson } from '../reading/page.ts';
import { readTask } from '../reading/read-task.ts';
export const queueForm: PlanForm = {
  kind: 'queue',
  called: 'a queue.txt',
  usualPaths: ['queue.txt'],
  rank: 1,
  namesInFolder: ['queue.txt'],
  recognises: ({ path, isFolder }) => !isFolder && path.endsWith('queue.txt'),
  isReviewed: false,
  open: oneFilePlan({
    async draft(file, text) {
      const problems = [];
      const tasks = [];
      for (const [index, line] of text.trim().split('\\n').entries()) {
        const page = openPage(file, line, index + 1);
        const map = await readJson(page, problems);
        const found = map && readTask(page, map, problems);
        if (found) tasks.push(found);
      }
      return { draft: { project: '', verify: [], tasks, stories: [], milestones: [], arrows: [], problems }, problems };
    },
    edit: async (text) => text,
    nearest: (status) => status,
  }),
};
`;

const STOP = `
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { notDone } from '../../../journal/words/outcome.ts';
export const stopWhenItIsEnough: StopRule = ({ state, settings }) => {
  const { enoughAfter = 0 } = settings.limits;
  if (enoughAfter === 0 || state.closed.length < enoughAfter) return null;
  return { kind: 'stop', outcome: notDone('stuck', \`Enough after \${enoughAfter} iterations\`) };
};
`;

const ROW = `
  enoughAfter: {
    kind: 'count',
    default: 0,
    about: 'The run ends after so many iterations. 0 means never.',
    inRun: 'enoughAfter',
    isLate: true,
    flag: { spelling: '--enough-after <n>', help: 'end a run after this many iterations', zero: 'never', group: 'limits', commands: ['run', 'loop'] },
    library: true,
  },
  stuckAfter: {`;

// One copy and one build for all three: the new stop reads the new setting.
describe('in a copy of the source', () => {
  let source: SourceCopy;
  let main = '';
  const changedFor: Record<string, readonly string[]> = {};

  /** The existing files that an addition changes. */
  async function adding(what: string, add: () => Promise<void>): Promise<void> {
    const before = new Set(source.changed);
    await add();
    changedFor[what] = [...source.changed].filter((file) => !before.has(file));
  }

  beforeAll(async () => {
    source = await openSourceCopy();
    await adding('setting', () => source.change('src/settings/schema/rows/limits.ts', [['\n  stuckAfter: {', ROW]]));
    await adding('form', async () => {
      await source.add('src/plans/queue/queue-form.ts', FORM);
      await source.change('src/plans/forms.ts', [
        [
          "import { prdForm } from './prd/prd-form.ts';\n",
          "import { prdForm } from './prd/prd-form.ts';\nimport { queueForm } from './queue/queue-form.ts';\n",
        ],
        [' checkboxesForm];', ' checkboxesForm, queueForm];'],
      ]);
    });
    await adding('stop', async () => {
      await source.add('src/recipes/run/rules/enough.ts', STOP);
      await source.change('src/recipes/run/run.ts', [
        ['import { judgeTheStart,', "import { stopWhenItIsEnough } from './rules/enough.ts';\nimport { judgeTheStart,"],
        ['    stopWhenStuck,\n    stopWhenIterationsAreSpent,', '    stopWhenItIsEnough,\n    stopWhenStuck,\n    stopWhenIterationsAreSpent,'],
      ]);
    });
    main = await source.bundle();
  }, 120_000);
  afterAll(() => source[Symbol.asyncDispose]());

  const ralph = (args: readonly string[], cwd: string) =>
    runBinary({ file: process.execPath, args: [main, ...args], cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd }, stdin: '', withinMs: 60_000 });

  it('a setting with its flag, a plan form and a reason to stop each change one existing file', () => {
    expect(changedFor).toEqual({
      setting: ['src/settings/schema/rows/limits.ts'],
      form: ['src/plans/forms.ts'],
      stop: ['src/recipes/run/run.ts'],
    });
  });

  it('the flag of the new setting is in the help of its commands, and its default and sentence in the settings', async () => {
    const line = /--enough-after <n> +end a run after this many iterations \(0 = never\)/;
    expect((await ralph(['run', '--help', '--all'], source.path)).stdout).toMatch(line);
    expect((await ralph(['loop', '--help', '--all'], source.path)).stdout).toMatch(line);
    expect((await ralph(['work', '--help', '--all'], source.path)).stdout).not.toMatch(line);
    expect((await ralph(['config', 'show'], source.path)).stdout).toMatch(/enoughAfter +default +0/);
    expect(JSON.parse((await ralph(['config', 'schema'], source.path)).stdout).properties.enoughAfter).toMatchObject({ default: 0, minimum: 0 });
  });

  it('the new setting counts in a run, and the new stop ends it with its reason', async () => {
    await using folder = await openThrowAwayFolder();
    const args = ['run', 'Go on.', '--agent', 'echo not yet', '--sandbox=guard', '--json', '--enough-after'];
    const { code, stdout } = await ralph([...args, '2'], folder.path);
    const view = JSON.parse(stdout);
    expect({ code, ...view }).toMatchObject({ code: 1, stop_reason: 'stuck', message: 'Enough after 2 iterations' });
    const [started = ''] = (await readFile(join(view.run_folder, 'journal.jsonl'), 'utf8')).split('\n');
    expect(started).toContain('"enoughAfter":2');
    expect(await ralph([...args, 'x'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('enoughAfter must be an integer, got "x" (from --enough-after)'),
    });
  });

  it('the tasks of a plan of the new form are listed, though nobody named the plan', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, 'queue.txt'), '{"id": "Q-1", "title": "Count to ten"}\n');
    expect(await ralph(['task', 'list'], folder.path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/Q-1 .*Count to ten/) });
  });
});
