import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../docs/project-files.ts';
import { doneOnce, openFleetStage, resultOf } from '../../support/fleet-stage.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../../support/postgres.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { PLAN } from '../../support/work-stage.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('the script that image, unit and manifests start', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('makes a fleet and finishes its plan in an empty home, knowing only its variables', async () => {
    await using stage = await openFleetStage(server, ['a', 'b'], 'work; claim', { machines: 1, isReady: false });
    const here = dirname(stage.git(1, 'rev-parse', '--show-toplevel'));
    const bin = join(here, 'bin');
    const home = join(here, 'm2');
    for (const made of [bin, home]) await mkdir(made);
    await writeFile(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${join(projectRoot, 'dist/cli/main.js')}' "$@"\n`);
    await chmod(join(bin, 'ralph'), 0o755);
    const script = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, XDG_RUNTIME_DIR: home, RALPH_REMOTE: join(here, 'remote.git'), ...more };
      const failed = (error: { code?: number; stderr?: string; stdout?: string }) => ({
        code: error.code,
        stdout: error.stdout ?? '',
        stderr: error.stderr ?? '',
      });
      return await promisify(execFile)('sh', [join(projectRoot, 'deploy/worker.sh'), ...args], { cwd: here, env }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        failed,
      );
    };
    const RALPH_STORE = stage.url;
    expect(await script({})).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('RALPH_STORE: is the address of the database') });
    expect(await script({ RALPH_STORE }, 'init', '--name', 'night')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('belongs to the fleet night now'),
    });
    const { services } = parse(await readFile(join(projectRoot, 'deploy/compose.yaml'), 'utf8'), { merge: true });
    const words: readonly string[] = services.worker.command;
    const agent = `sh ${join(here, 'agent.sh')}`;
    const work = () => script({ RALPH_STORE, RALPH_PLAN: 'task-graph.yaml' }, ...words.map((word) => (word === 'claude' ? agent : word)));
    const worked = await work();
    expect(worked, worked.stderr).toMatchObject({ code: 0 });
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b'));

    // As a pod of the Deployment that has ended: its clone is still there, and the plan has grown.
    stage.git(1, 'pull', '-q');
    const file = join(here, 'm1', PLAN);
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(/^(.*\{id: b,.*)$/m, (line) => `${line}\n${line.replace('{id: b,', '{id: c,').replace('complete', 'pending')}`),
    );
    stage.git(1, 'commit', '-qam', 'one more task');
    stage.git(1, 'push', '-q');
    const again = await work();
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b', 'c'));
  });
});
