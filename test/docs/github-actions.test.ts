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

/** Not every machine that runs this test has bubblewrap. */
const anywhere = (script: string) => script.replace(/^ *--sandbox=os \\\n/m, '');

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
      const ran = await scene.type(inBash(anywhere(loop.run), given));

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

  describe('verifies', () => {
    const verify = stepNamed('Verify').run;

    /** What the loop left for the next job, on a machine that has only the base and the bundle. */
    async function proposed() {
      const scene = await openScene({
        files: {
          'package.json': '{ "scripts": { "test": "node test/done.js" } }\n',
          'test/done.js': "process.exit(require('node:fs').existsSync('done.txt') ? 0 : 1);\n",
        },
        prepare: 'mkdir -p .ralph/receipt-keys && ralph verify --print-key > .ralph/receipt-keys/ci.pub && git add -A && git commit -q -m Key',
        turns: [turn(bash('echo done > done.txt'), ...ends('COMPLETE')), turn(bash('rm done.txt'), ...ends('COMPLETE'))],
      });
      const base = (await scene.type('git rev-parse HEAD')).output.trim();
      const given = { ISSUE_TITLE: 'x', ISSUE_BODY: 'x', RUNNER_TEMP: scene.beside, GITHUB_STEP_SUMMARY: join(scene.beside, 'summary.md') };
      const ran = await scene.type(inBash(anywhere(loop.run), given));
      expect(ran.code, ran.output).toBe(0);
      const verified = async (forge: string) => {
        const forged = await scene.type(`git checkout -q main && ${forge}`);
        expect(forged.code, forged.output).toBe(0);
        const packed = await scene.type(inBash(stepNamed('Pack the commits').run, { RUNNER_TEMP: scene.beside, GITHUB_SHA: base }));
        expect(packed.code, packed.output).toBe(0);
        const out = join(scene.beside, 'output');
        const env = { RUNNER_TEMP: scene.beside, GITHUB_SHA: base, GITHUB_OUTPUT: out, XDG_CONFIG_HOME: join(scene.beside, 'another-machine') };
        const clone = 'rm -rf ../beside/fresh && git clone -q . ../beside/fresh && cd ../beside/fresh && git checkout -q --detach';
        return await scene.type(`rm -f ${out}; ${clone} ${base} && ${inBash(verify, env)} && cat ${out}; code=$?; cd ../../repo; exit $code`);
      };
      return { scene, verified };
    }

    it('what was signed by the pinned key and is green again; nothing that was forged', async () => {
      const { scene, verified } = await proposed();
      await using _scene = scene;
      const good = await verified('git tag good && git update-ref refs/kept refs/notes/ralph');
      expect(good.code, good.output).toBe(0);
      expect(good.output).toMatch(/commit=[0-9a-f]{40}\n$/);

      const again = 'git reset -q --hard good && git update-ref refs/notes/ralph refs/kept';
      const note = 'git notes --ref ralph';
      const unsigned = `node -e 'const e=JSON.parse(require("fs").readFileSync(0));e.signatures=[];console.log(JSON.stringify(e))'`;
      const forgeries: Readonly<Record<string, readonly [forge: string, says: RegExp]>> = {
        'an unsigned receipt': [
          `${again} && ${note} show HEAD > ../beside/n && ${unsigned} < ../beside/n > ../beside/m && ${note} add -f -F ../beside/m HEAD`,
          /does not count/,
        ],
        'a receipt of other work': [
          `${again} && ${note} show HEAD > ../beside/n && echo more >> done.txt && git commit -qam More && ${note} add -f -F ../beside/n HEAD`,
          /does not count/,
        ],
        'a receipt that the pinned key has signed for another check': [`${again} && ralph loop x --check true --commit --quiet`, /> test/],
        'no receipt': [`${again} && ${note} remove HEAD`, /has no receipt/],
        'tests that were changed': [`${again} && echo > test/done.js && git commit -qam Tests`, /test\/done\.js/],
        'work that does not stand on the base': [
          'git checkout -q --orphan other && git commit -q -m Other && git branch -f main && git checkout -q main',
          /do not stand on the base/,
        ],
      };
      for (const [what, [forge, says]] of Object.entries(forgeries)) {
        const seen = await verified(forge);
        expect(seen.code, `${what}: ${seen.output}`).not.toBe(0);
        expect(seen.output, what).toMatch(says);
        expect(seen.output, what).not.toMatch(/commit=/);
      }
    });
  });

  it('pushes only the commit that was verified', () => {
    const { run, env } = stepNamed('Open a pull request');
    expect(env?.['COMMIT']).toBe('${{ needs.verify.outputs.commit }}');
    expect(run).toContain('git push origin "$COMMIT:');
    expect(stepNamed('Take the signing key').env).toEqual({ RECEIPT_KEY: '${{ secrets.RALPH_RECEIPT_KEY }}' });
  });

  it('differs from the seed, whose line runs the text of an issue', async () => {
    await using scene = await openScene({ files: { 'a.txt': '' }, turns: [] });
    const seedLine = 'echo loop "${{ github.event.issue.body }}" --check "npm test"';
    await scene.type(inBash(seedLine.replace('${{ github.event.issue.body }}', '$(touch stolen)'), {}));
    expect(existsSync(join(scene.path, 'stolen'))).toBe(true);
  });
});
