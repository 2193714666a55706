import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, openPlace } from '../support/place.ts';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { refused } from '../support/refused.ts';
import { runBinary } from '../support/run-binary.ts';
import { onlyForRoot } from '../support/skip-loudly.ts';

const RUN = ['run', '-p', 'Do the work.', '--agent', 'true'];

describe.concurrent('an environment in which', () => {
  it.each<[string, string, string]>([
    ['the agent is not on the PATH', 'no-such-agent', 'the agent "no-such-agent" was not found'],
    ['the path of the agent does not exist', './agent.sh', 'the agent "./agent.sh" was not found'],
    ['the agent may not be executed', './readme.txt', 'the agent "./readme.txt" may not be executed'],
    ['the agent is a directory', './.git', 'the agent "./.git" is a directory'],
  ])('%s is reported before anything is started', async (_name, agent, error) => {
    await using place = await openGitPlace();
    expect(await refused(place, ['run', '-p', 'a', '--agent', agent, '--json'])).toMatchObject({ code: 4, error });
  });

  it('the name of the agent is mistyped gets the name that was meant', async () => {
    await using place = await openGitPlace();
    expect(await refused(place, ['run', 'a', '--agent', 'cluade'])).toEqual({
      code: 4,
      error: 'the agent "cluade" was not found',
      hint: 'Did you mean claude? Install it, or name another with --agent; the directories of PATH were searched.',
    });
    expect(await refused(place, ['run', 'a', '--agent', 'true', '--agent-kind', 'codx'])).toMatchObject({
      code: 2,
      hint: expect.stringMatching(/^Did you mean codex\? There are claude, /),
    });
  });

  it('the interpreter of the agent is missing ends the run at once', async () => {
    await using place = await openGitPlace();
    const agent = await place.write('agent', '#!/no/such/interpreter\n', 0o755);
    const run = await place.ralph(['run', '-p', 'a', '--agent', agent, '--json']);
    expect(run.code).toBe(4);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', iterations: 1, attempts: 1, message: expect.stringContaining('its interpreter is missing') });
  });

  it('there is no repository allows a run, with a warning', async () => {
    await using place = await openPlace();
    const run = await place.ralph(['run', '-p', 'a', '--agent', place.agent, '--guardrail', 'true', '--json']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('without git, changes cannot be seen');
    expect(run.result).toMatchObject({ done: true, run_folder: expect.stringContaining(join(place.path, '.ralph', 'runs')) });
  });

  it('there is no repository cannot detect a change', async () => {
    await using place = await openPlace();
    expect(await refused(place, [...RUN, '--require-change'])).toMatchObject({ code: 4, error: '--require-change needs a git repository' });
  });

  it('.ralph is a file is reported', async () => {
    await using place = await openPlace();
    await place.write('.ralph', 'mine\n');
    expect(await refused(place, RUN)).toMatchObject({ code: 4, error: expect.stringContaining(join(place.path, '.ralph')) });
  });

  it('the current directory was removed is reported', async () => {
    await using place = await openPlace();
    const script = 'rmdir "$PWD" && exec "$0" "$@"';
    const { code, stderr } = await runBinary({
      file: 'sh',
      args: ['-c', script, process.execPath, CLI, ...RUN],
      cwd: place.path,
      env: cleanEnv(place.beside, {}),
      stdin: '',
      withinMs: 60_000,
    });
    expect({ code, stderr }).toEqual({ code: 4, stderr: 'error: the current directory is gone\nhint: Change to one that exists.\n' });
  });

  it.skipIf(onlyForRoot('claude as root'))('claude would refuse to work is told, since it does so for root', async () => {
    await using place = await openGitPlace();
    const claude = join(place.beside, 'claude');
    await writeFile(claude, '#!/bin/sh\n', { mode: 0o755 });
    expect(await refused(place, ['run', '-p', 'a', '--agent', claude])).toMatchObject({ code: 4, hint: expect.stringContaining('IS_SANDBOX=1') });
  });
});
