import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import { openGitPlace } from '../../support/place.ts';
import { openStandIn, type StandIn } from '../../support/sandbox-stand-in/open-stand-in.ts';
import { BRANCH, PRD, planOf, story } from '../../support/stories-stage.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';

/** Reads the prompt, works, and tells where it was. */
const CLAUDE = `#!/bin/sh
cat >prompt.txt
echo "$HOME" >where.txt
echo "$ANTHROPIC_API_KEY" >key.txt
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"s","model":"m"}' '{"type":"assistant","message":{"content":[{"type":"text","text":"<response>DONE</response>\\nCOMPLETE"}]}}' '{"type":"result","subtype":"success","is_error":false,"result":"<response>DONE</response>\\nCOMPLETE"}'
`;

/** Commits, spoils its own repository, and looks for that of the operator. */
const HOSTILE = (project: string) => `#!/bin/sh
cat >/dev/null
echo new >new.txt; git add -A; git commit -qm 'committed inside'
git config core.fsmonitor 'touch ${project}/escaped; :'; git branch -D precious; mkdir -p sub/.git; echo evil >sub/.git/config
[ -e ${project}/old.txt ] || [ -e ${project}/.git/config ] && echo 'the project is here' >left.txt || echo 'nothing of the operator’s is here' >left.txt
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"<response>DONE</response>\\nCOMPLETE"}'
`;

/** Implements the one story, or approves it. */
const STORYTELLER = `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const isReview = readFileSync(0, 'utf8').includes('mode \`review\`');
let said = JSON.stringify({ decision: 'approved', feedback: '', notes: '' });
if (!isReview) {
  const plan = JSON.parse(readFileSync('ralph/tasks.json', 'utf8'));
  Object.assign(plan.userStories[0], { reviewStatus: 'needs_review', notes: 'Wrote it.' });
  writeFileSync('ralph/tasks.json', JSON.stringify(plan, null, 2) + '\\n');
  writeFileSync('work.txt', process.cwd() + '\\n');
  for (const words of [['add', '-A'], ['commit', '-qm', 'feat: [US-001] - Title of US-001']]) execFileSync('git', words);
  said = 'Done.';
}
for (const line of [{ type: 'system', subtype: 'init', session_id: 's', model: 'm' }, { type: 'result', subtype: 'success', is_error: false, result: said }])
  console.log(JSON.stringify(line));
`;

async function openComputer(...programs: readonly ('sbx' | 'docker')[]) {
  const folder = await openThrowAwayFolder();
  const place = await openGitPlace();
  const standIn = await openStandIn(folder.path, ...programs);
  await standIn.putProgram('claude', CLAUDE);
  // The one of the host, which has to be there and must not be the one that works.
  await writeFile(join(folder.path, 'stand-in-path/claude'), `#!/bin/sh\necho host >'${place.path}/where.txt'\nexit 99\n`, { mode: 0o755 });
  const env = { ...standIn.env, PATH: `${standIn.env['PATH']}:/usr/bin:/bin`, RALPH_SANDBOX: '', ANTHROPIC_API_KEY: 'sk-secret' };
  const close = async () => {
    await place[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  return { folder, place, standIn, env, [Symbol.asyncDispose]: close };
}

const said = (standIn: StandIn, command: string) => standIn.calls().filter(({ argv, refused }) => refused === null && argv.includes(command));
const RUN = ['run', '-p', 'Do it well.', '-m', '1', '--agent', 'claude'];

describe.skipIf(bubblewrapIsMissing()).concurrent('ralph --sandbox on a stand-in, which says nothing about a real Docker:', () => {
  it.each(deepRows('the two differ in their command lines only', ['sbx', 'docker'] as const, 1))(
    'agent and gate run inside, and what they made is on the host: %s',
    async (program) => {
      await using computer = await openComputer(program);
      const { place, standIn, env, folder } = computer;
      const run = await place.ralph([...RUN, '--sandbox', '--guardrail', 'test -f where.txt && echo "$HOME" >gate.txt'], { env });

      expect(run.code, run.stderr).toBe(0);
      expect(await readFile(join(place.path, 'prompt.txt'), 'utf8')).toContain('Do it well.');
      expect(await readFile(join(place.path, 'where.txt'), 'utf8')).toBe('/home/agent\n');
      expect(await readFile(join(place.path, 'gate.txt'), 'utf8')).toBe('/home/agent\n');
      expect(await readFile(join(place.path, 'key.txt'), 'utf8')).toBe('sk-secret\n');
      expect(JSON.stringify(standIn.calls())).not.toContain('sk-secret');
      expect(said(standIn, 'create')).toHaveLength(1);
      expect(said(standIn, 'rm')).toHaveLength(0);
      expect((await stat(join(folder.path, '.dclaude_state/.claude.json'))).mode & 0o777).toBe(0o600);
    },
  );

  it('agents work in a copy with a repository of its own, of which only files and sound commits come back', async () => {
    await using computer = await openComputer('sbx');
    const { place, standIn, env } = computer;
    await place.write('old.txt', 'old\n');
    for (const words of [
      ['add', '-A'],
      ['commit', '-qm', 'old'],
      ['branch', 'precious'],
    ])
      place.git(...words);
    await standIn.putProgram('claude', HOSTILE(place.path));
    const run = await place.ralph([...RUN, '--sandbox', '--guardrail', 'test -f new.txt'], { env });

    expect(run.code, run.stderr).toBe(0);
    expect(place.git('log', '-1', '--format=%s')).toBe('committed inside');
    expect(place.git('branch', '--list', 'precious').trim()).toBe('precious');
    expect(place.git('status', '--porcelain')).toBe('?? left.txt');
    expect(place.git('config', '--get-regexp', '^(core.fsmonitor|user.name)$')).not.toContain('evil');
    expect(await readFile(join(place.path, 'left.txt'), 'utf8')).toBe('nothing of the operator’s is here\n');
    expect(said(standIn, 'create').flatMap(({ argv }) => argv)).not.toContain(place.path);
    expect(await readdir(join(`${place.path}.ralph`, 'copy'))).toEqual([]);
  });

  deepIt('src/workspace/copy has a test of each way out of the copy, and every recipe goes the same')(
    'a story is implemented and reviewed in the copy, and its commits come over',
    async () => {
      await using computer = await openComputer('sbx');
      const { place, standIn, env } = computer;
      await place.write('ralph/tasks.json', planOf([story('US-001')]));
      await place.write('ralph/prd.md', PRD);
      await place.write('ralph/progress.txt', '# Progress\n');
      await place.write('.gitignore', '.ralph-active\n');
      for (const words of [
        ['add', '-A'],
        ['commit', '-qm', 'stories'],
        ['switch', '-qc', BRANCH],
      ])
        place.git(...words);
      await standIn.putProgram('claude', STORYTELLER);
      const run = await place.ralph(['work', '--plan', 'ralph/tasks.json', '--agent', 'claude', '--proof', 'off', '--sandbox'], { env });

      expect(run.code, run.stderr).toBe(0);
      expect(place.git('log', '-2', '--format=%s').split('\n')).toEqual(['review: [US-001] - approved', 'feat: [US-001] - Title of US-001']);
      expect(await readFile(join(place.path, 'work.txt'), 'utf8')).toContain(`${place.path}.ralph/copy/`);
      expect(place.git('status', '--porcelain')).toBe('');
    },
  );

  it('without Docker is exit 4 and one clear line that names sbx, and nothing was started', async () => {
    await using computer = await openComputer();
    const { place, env } = computer;
    const run = await place.ralph([...RUN, '--sandbox'], { env });
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 4, stderr: expect.stringContaining('sbx') });
    await expect(stat(join(place.path, 'where.txt'))).rejects.toThrow('ENOENT');
  });

  deepIt('src/workspace/copy has a test of each way out of the copy, and every recipe goes the same')(
    'a loop verifies in a fresh checkout inside',
    async () => {
      await using computer = await openComputer('sbx');
      const { place, env, standIn } = computer;
      const words = [
        'loop',
        'Do it well.',
        '--agent',
        'claude',
        '--check',
        'pwd; test -f where.txt && git log -1 >/dev/null',
        '--max-iterations',
        '2',
        '--verify',
        'clean',
        '--sandbox',
      ];
      const run = await place.ralph(words, { env });
      expect(run.code, run.stderr).toBe(0);
      expect(JSON.stringify(said(standIn, 'exec'))).toContain('ralph-checkout-');
    },
  );

  it('--no-sandbox asks no Docker, although there is one', async () => {
    await using computer = await openComputer('sbx');
    const { place, env, standIn, folder } = computer;
    await place.write('agent.sh', 'echo "$HOME" >where.txt; echo DONE\n');
    const run = await place.ralph(['run', '-p', 'Do it.', '-m', '1', '--agent', 'sh agent.sh', '--guardrail', 'test -f where.txt', '--no-sandbox'], { env });
    expect(run.code, run.stderr).toBe(0);
    expect(standIn.calls()).toEqual([]);
    expect(await readFile(join(place.path, 'where.txt'), 'utf8')).toBe(`${folder.path}\n`);
  });
});
