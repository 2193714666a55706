import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../support/place.ts';
import { refused } from '../support/refused.ts';

const A = ['--agent', 'true'];
const IN_LOOP = [...A, '--check', 'true'];

/** What was typed; the exit code; what is wrong and where; what to do. */
type Mistake = readonly [args: readonly string[], code: number, error: RegExp, hint: RegExp];

const MISTAKES: readonly Mistake[] = [
  [['rnu'], 2, /^unknown command 'rnu'$/, /^Did you mean run\?$/],
  [['start'], 2, /'start'/, /ralph run "/],
  [['resume'], 2, /'resume'/, /ralph runs resume/],
  [['import', 'prd.json'], 2, /'import'/, /ralph work --plan FILE.*ralph plan github/],
  [['run'], 2, /must specify prompt/, /ralph run "/],
  [['run', 'x', 'y', ...A], 2, /too many arguments for 'run'/, /quotes/],
  [['run', 'x', '-f', 'y', ...A], 2, /both --prompt-file and the prompt "x"/, /Leave one of them out/],
  [['run', '-f', 'nowhere.md', ...A], 2, /prompt file not found: nowhere\.md/, /Check the path/],
  [['run', '-f', 'sub', ...A], 2, /prompt file is a directory: sub/, /Name a file/],
  [['run', '-f', 'blank.md', ...A], 2, /prompt file blank\.md is empty/, /what the agent should do/],
  [['run', 'x', '--agent', 'clude'], 4, /the agent "clude" was not found/, /Did you mean claude\?/],
  [['run', 'x', '--check'], 2, /option '--check <command>' argument missing/, /ralph run --help/],
  [['run', 'x', '--chekc', 'true'], 2, /unknown option '--chekc'/, /^Did you mean --check\?$/],
  [['run', 'x', '--prd', 'a'], 2, /unknown option '--prd'/, /ralph work --plan FILE/],
  [['run', 'x', ...A, '-m', 'zero'], 2, /maximumIterations must be a positive integer, got "zero" \(from -m, --maximum-iterations\)/, /ralph run --help/],
  [['run', 'x', ...A, '--sandbox', 'vm'], 2, /too many arguments/, /--sandbox is auto, docker, os or guard, not vm/],
  [['run', 'x', ...A, '--idle-timeout', 'soon'], 2, /idleTimeout must be a duration such as "20m".*from --idle-timeout/, /--help/],
  [['run', '--resume', 'nope'], 2, /^there is no run "nope" here$/, /^Start one with: ralph run -p "…"$/],
  [['loop'], 2, /a loop needs a task/, /ralph loop "/],
  [['loop', 'x', ...A], 2, /needs a check that proves the work/, /--check "npm test"/],
  [['loop', 'x', ...IN_LOOP, '--max-cost', 'abc'], 2, /loop\.maxCost must be a positive number, got "abc" \(from --max-cost\)/, /ralph loop --help/],
  [['loop', 'x', ...IN_LOOP, '--max-time', 'soon'], 2, /loop\.maxTime must be .*"soon" \(from --max-time\)/, /ralph loop --help/],
  [['loop', '--spec', 'nowhere.md', ...IN_LOOP], 2, /spec file not found: nowhere\.md/, /Check the path/],
  [['work', ...A], 2, /there is no plan in /, /--plan.*ralph plan init/],
  [['work', '--plan', 'nowhere.yaml', ...A], 2, /there is no plan at nowhere\.yaml/, /Check --plan/],
  [['work', '--plan', 'notes.txt', ...A], 2, /notes\.txt is not a plan/, /A plan is/],
  [['work', '--plan', 'broken.yaml', ...A], 2, /^broken\.yaml:\d+: /, /ralph task check/],
  [['work', '--plan', 'cycle.yaml', ...A], 2, /^cycle\.yaml:2: Dependency cycle detected: a → b → a$/, /ralph task check/],
  [['work', '--plan', '../x.yaml', ...A], 2, /is not inside /, /in its work tree/],
  [['task', 'complete'], 2, /missing required argument 'task'/, /ralph task complete --help/],
  [['task', 'show', 'T-1', '--plan', 'good.yaml'], 2, /there is no task "T-1" in good\.yaml/, /ralph task list/],
  [['plan', 'chek'], 2, /'plan chek'/, /ralph plan --help/],
  [['plan', 'github'], 2, /needs --label or --milestone/, /ralph plan github --label ralph/],
  [['runs'], 2, /needs a subcommand: list, /, /ralph runs --help/],
  [['status', 'nope'], 2, /^there is no run "nope" here$/, /^Start one with: ralph run -p "…"$/],
  [['undo'], 2, /^there is no run here$/, /ralph run -p/],
  [['accept'], 2, /^no run here waits for its claim to be accepted$/, /^ralph runs list shows how they ended\.$/],
  [['verify', 'deadbeef'], 2, /deadbeef names no commit here/, /a commit, a branch or a tag/],
  [['completion', 'powershell'], 2, /'powershell' is invalid .* bash, zsh, fish/, /ralph completion --help/],
  [['worktree', 'remove', 'none'], 2, /no worktree of ralph is called "none"/, /ralph worktree list/],
  [['notify', '--test', 'nowhere'], 2, /no channel "nowhere"/, /\.ralph\/settings\.json/],
];

describe('a mistake', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openGitPlace();
    await place.write('blank.md', ' \n');
    await place.write('notes.txt', 'hello\n');
    await place.write('sub/a.txt', 'a\n');
    await place.write('broken.yaml', 'nodes: [\n');
    await place.write('cycle.yaml', 'nodes:\n  - {id: a, title: A, depends_on: [b]}\n  - {id: b, title: B, depends_on: [a]}\n');
    await place.write('good.yaml', 'nodes:\n  - {id: a, title: A}\n');
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('is made in at least forty ways here', () => expect(MISTAKES.length).toBeGreaterThanOrEqual(40));

  it.each(MISTAKES.map((row) => [row[0].join(' '), row] as const))('ralph %s is told in two lines: what, where, and what to do', async (_line, row) => {
    const [args, code, error, hint] = row;
    const refusal = await refused(place, args);
    expect(refusal).toEqual({ code, error: expect.stringMatching(error), hint: expect.stringMatching(hint) });
  });

  it.each([
    [
      '{"maximumIteration": 3}',
      /^failed to load settings: \.ralph\/settings\.json: maximumIteration is not a setting; did you mean "maximumIterations"\?$/,
      /^ralph config schema describes every setting\.$/,
    ],
    [
      '{"maximumIterations": "3"}',
      /\.ralph\/settings\.json: maximumIterations must be a positive integer, got "3"/,
      /^ralph config schema describes every setting\.$/,
    ],
    ['{', /\.ralph\/settings\.json: .*line \d+, column \d+/, /^It must be one JSON object\.$/],
  ])('in the settings %s is told with its file', async (settings, error, hint) => {
    await using own = await openGitPlace();
    await own.write('.ralph/settings.json', settings);
    expect(await refused(own, ['run', 'x', ...A])).toEqual({ code: 2, error: expect.stringMatching(error), hint: expect.stringMatching(hint) });
  });
});
