import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFoo, LIST } from '../support/added-agent.ts';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { openRepo } from '../support/repo.ts';
import { runBinary } from '../support/run-binary.ts';
import { openSourceCopy, type SourceCopy } from '../support/source-copy.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';

/** Tells what it sees of the machine, and which hosts its proxy lets it reach. */
const AGENT = `#!${process.execPath}
const { existsSync, readdirSync, writeFileSync } = require('node:fs');
const { request } = require('node:http');
const { join } = require('node:path');
const { env, argv } = process;
const proxy = new URL(env.HTTPS_PROXY);
const reach = (path) => new Promise((resolve) => {
  const call = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path });
  call.on('connect', ({ statusCode }, socket) => { socket.destroy(); resolve(statusCode === 200); });
  call.on('error', () => resolve(false)).end();
});
(async () => {
  writeFileSync(join(env.HOME, '.foo', 'renewed'), 'yes');
  const hosts = { own: await reach('api.foo.example:443'), other: await reach('api.openai.com:443') };
  const logins = { own: readdirSync(join(env.HOME, '.foo')).sort(), other: existsSync(join(env.HOME, '.codex/auth.json')) };
  const variables = Object.keys(env).filter((name) => /^(FOO|OPENAI)_/.test(name));
  writeFileSync('seen.json', JSON.stringify({ args: argv.slice(2), hosts, logins, variables }));
  console.log('DONE');
})();
`;

describe.skipIf(bubblewrapIsMissing())('an agent that is added by a folder and its lines in one file', () => {
  let source: SourceCopy;
  let programs: ThrowAwayFolder;
  let main = '';

  beforeAll(async () => {
    source = await openSourceCopy();
    programs = await openThrowAwayFolder('/tmp');
    await addFoo(source);
    main = await source.bundle();
    await writeFile(join(programs.path, 'foo'), AGENT, { mode: 0o755 });
  }, 120_000);
  afterAll(async () => {
    await source[Symbol.asyncDispose]();
    await programs[Symbol.asyncDispose]();
  });

  const ralph = (args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
    runBinary({ file: process.execPath, args: [main, ...args], cwd, env: { PATH: programs.path, HOME: cwd, ...env }, stdin: '', withinMs: 60_000 });

  it('takes one changed file', () => {
    expect([...source.changed]).toEqual([LIST]);
  });

  it('is offered by init and named in help', async () => {
    expect(JSON.parse((await ralph(['init', '--yes', '--dry-run'], programs.path)).stdout)).toMatchObject({ agent: { command: 'foo' } });
    expect((await ralph(['run', '--help'], programs.path)).stdout).toMatch(/gemini, foo\s+or any other command/);
  });

  it('runs in the sandbox with its own call, login, variables and hosts, and those of no other agent', async () => {
    await using repo = await openRepo();
    // Homes and programs are not looked for below /dev, where the tests may keep their files.
    await using home = await openThrowAwayFolder('/tmp');
    for (const file of ['.foo/token', '.codex/auth.json']) {
      await mkdir(dirname(join(home.path, file)));
      await writeFile(join(home.path, file), 'a secret');
    }
    const internet = createServer().on('connect', (_request, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await new Promise<void>((resolve) => internet.listen(0, '127.0.0.1', resolve));
    const env = {
      PATH: `${programs.path}:${process.env['PATH']}`,
      HOME: home.path,
      HTTPS_PROXY: `http://127.0.0.1:${(internet.address() as AddressInfo).port}`,
      FOO_KEY: 'k',
      OPENAI_API_KEY: 'k',
    };
    const ended = await ralph(['run', '-p', 'Look.', '-m', '1', '--agent', 'foo', '--sandbox=os', '--guardrail', 'test -s seen.json'], repo.path, env);
    internet.close();
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(repo.path, 'seen.json'), 'utf8'))).toEqual({
      args: ['--unattended'],
      hosts: { own: true, other: false },
      logins: { own: ['renewed', 'token'], other: false },
      variables: ['FOO_KEY'],
    });
  }, 60_000);
});
