import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildProgram, loadCommands } from '../../src/cli/program.ts';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { bash, ends, turn } from '../support/claude-script.ts';
import { deepRows } from '../support/deep.ts';
import { openScene } from './examples/scene.ts';
import { whyNotParsed } from './parse-command.ts';
import { projectRoot } from './project-files.ts';
import { shellCommands } from './shell-words.ts';

const everyCommand = await loadCommands();

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const text = readFileSync(join(projectRoot, 'docs/examples/github-actions.yml'), 'utf8');
const workflow = parse(text, { strict: true, uniqueKeys: true }) as { readonly permissions: object; readonly jobs: Readonly<Record<string, Job>> };
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);

function stepNamed(name: string): Step & { readonly run: string } {
  const { run, ...step } = steps.find((one) => one.name === name) ?? {};
  if (run === undefined) throw new Error(`no step "${name}" has a script`);
  return { ...step, run };
}

const loop = stepNamed('Loop');

/** Like a GitHub runner. */
function inBash(script: string, env: Readonly<Record<string, string>>): string {
  const words = Object.entries(env).map(([name, value]) => shellQuote(`${name}=${value}`));
  return ['env', ...words, 'bash', '-e', '-c', shellQuote(script)].join(' ');
}

const HOSTILE: readonly (readonly [what: string, body: string])[] = [
  ['quotes', `"; touch stolen; echo "`],
  ['an option', '--agent=touch stolen'],
  ['a percent sign and a backslash', '100%s \\n done'],
  ['nothing', ''],
  ['a substitution', '$(touch stolen) `touch stolen` ${HOME}'],
];

describe('the example for GitHub Actions', () => {
  it('never puts an expression into a script, because the text of an issue would be run', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('passes the text of the issue by env', () => {
    const { ISSUE_TITLE, ISSUE_BODY } = loop.env ?? {};
    expect({ ISSUE_TITLE, ISSUE_BODY }).toEqual({ ISSUE_TITLE: '${{ github.event.issue.title }}', ISSUE_BODY: '${{ github.event.issue.body }}' });
    const everywhere = text.split('\n').filter((line) => /github\.event\.issue\.(?:title|body)/.test(line));
    expect(everywhere).toHaveLength(2);
  });

  it('gives the agent no token of the repository', () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.jobs['loop']?.permissions).toEqual({ contents: 'read' });
    expect(JSON.stringify(workflow.jobs['loop'])).not.toMatch(/github\.token|GITHUB_TOKEN/);
    expect(workflow.jobs['loop']?.steps.find(({ uses }) => uses?.startsWith('actions/checkout'))?.with).toMatchObject({ 'persist-credentials': false });
  });

  it('calls ralph with valid options', () => {
    const commands = shellCommands(loop.run.replaceAll('\\\n', ' ').split('\n').at(-2) ?? '').filter(([word]) => word === 'ralph');
    expect(commands.map(([, ...words]) => whyNotParsed(buildProgram(everyCommand), words))).toEqual([null]);
  });

  it.each(deepRows('what is hostile goes the same way, by env', HOSTILE, 2))(
    'gives an issue with %s to the agent as text, and packs what came of it',
    async (_what, body) => {
      await using scene = await openScene({
        files: { 'package.json': '{ "scripts": { "test": "test -e done.txt" } }\n' },
        turns: [turn(bash('echo done > done.txt'), ...ends('COMPLETE'))],
      });
      const summary = join(scene.beside, 'summary.md');
      const given = { ISSUE_TITLE: body, ISSUE_BODY: body, RUNNER_TEMP: scene.beside, GITHUB_STEP_SUMMARY: summary };
      const ran = await scene.type(inBash(loop.run, given));

      expect(ran.code, ran.output).toBe(0);
      expect(existsSync(join(scene.path, 'stolen'))).toBe(false);
      const { prompt } = JSON.parse(readFileSync(join(scene.beside, 'calls'), 'utf8'));
      expect(prompt).toContain(`## Task Specification\n\n# ${body}\n\n${body}`.trimEnd());
      expect(readFileSync(summary, 'utf8')).toMatch(/^## OK ralph: /);
      const begin = (await scene.type('git rev-list --max-parents=0 HEAD')).output.trim();
      const packed = await scene.type(inBash(stepNamed('Pack the commits').run, { RUNNER_TEMP: scene.beside, GITHUB_SHA: begin }));
      expect(packed.code, packed.output).toBe(0);
      expect(await scene.type('git fetch -q ../beside/ralph.bundle HEAD:refs/heads/fetched && git show fetched:done.txt')).toEqual({
        code: 0,
        output: 'done\n',
      });
    },
  );

  it('differs from the seed, whose line runs the text of an issue', async () => {
    await using scene = await openScene({ files: { 'a.txt': '' }, turns: [] });
    const seedLine = 'echo loop "${{ github.event.issue.body }}" --check "npm test"';
    await scene.type(inBash(seedLine.replace('${{ github.event.issue.body }}', '$(touch stolen)'), {}));
    expect(existsSync(join(scene.path, 'stolen'))).toBe(true);
  });
});
