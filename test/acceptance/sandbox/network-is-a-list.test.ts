import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { type HostileProps, type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';
import { journalOf } from '../../support/stage.ts';

/** Asks for a page by itself, and by the proxy it is told of. */
const CLIENT = `
import http from 'node:http';
import { writeFileSync } from 'node:fs';
const [port, refused] = process.argv.slice(2);
const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY);
const ask = (options) => new Promise((resolve) => {
  const request = http.request({ timeout: 10_000, ...options }, (answer) => (answer.resume(), resolve(answer.statusCode)));
  request.on('error', (error) => resolve(error.code));
  request.end();
});
const throughProxy = (host) => ask({ host: proxy.hostname, port: proxy.port, path: 'http://' + host + '/', headers: { host } });
writeFileSync('answers.json', JSON.stringify({
  alone: await ask({ host: 'localhost', port }),
  throughProxy: await throughProxy('localhost:' + port),
  refusedAlone: await ask({ host: '127.0.0.1', port: refused }),
  refusedThroughProxy: await throughProxy('localhost:' + refused),
}));
console.log('COMPLETE');
console.log('DONE');
`;

interface NetworkStage extends HostileStage {
  readonly port: number;
  readonly refused: number;
  readonly asks: string;
}

/** Two servers of the machine, of which one is to be allowed. */
async function openNetworkStage(props: (port: number) => HostileProps = () => ({})): Promise<NetworkStage> {
  const server = createServer((_, response) => response.end('hello'));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stage = await openHostileStage(props(port));
  await stage.repo.write('client.mjs', CLIENT);
  const refused = stage.place.network.port;
  return {
    ...stage,
    ...{ port, refused, asks: `node client.mjs ${port} ${refused}` },
    async [Symbol.asyncDispose]() {
      server.close();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const answersIn = ({ repo }: HostileStage) => JSON.parse(readFileSync(join(repo.path, 'answers.json'), 'utf8'));
const ANSWERS = { alone: 200, throughProxy: 200, refusedAlone: 'ECONNREFUSED', refusedThroughProxy: 403 };

describe.skipIf(bubblewrapIsMissing())('the network in the sandbox', () => {
  it('has a host that was allowed, with and without the proxy, and no other; what was refused is told everywhere', async () => {
    await using stage = await openNetworkStage();
    const words = [
      'loop',
      'Do it.',
      '--agent',
      stage.asks,
      '--check',
      'true',
      '--max-iterations',
      '1',
      '--sandbox=os',
      '--allow-host',
      `localhost:${stage.port}`,
    ];
    const run = await stage.ralph(...words, '--json', '--report', 'markdown', '--report-file', 'report.md');
    expect(run.code, run.stderr).toBe(0);
    expect(answersIn(stage)).toEqual(ANSWERS);
    expect(stage.visits()).toBe(0);
    const target = `localhost:${stage.refused}`;
    expect(run.stderr).toContain(` by the sandbox: network ${target}\n`);
    expect(run.stderr).toContain('allow a host with --allow-host, or sandbox.allowHosts in the settings');
    expect(run.stderr).toContain(`the network is closed except for the model and localhost:${stage.port}`);
    expect(journalOf(run)).toContainEqual(expect.objectContaining({ type: 'wall.refused', what: 'network', target }));
    expect(run.result?.sandbox).toMatchObject({ allowed_hosts: [`localhost:${stage.port}`], refused_count: 1, refused: [{ what: 'network', target }] });
    expect(JSON.parse(readFileSync(join(`${run.result?.run_folder}`, 'run.json'), 'utf8')).sandbox.refused_count).toBe(1);
    expect(readFileSync(join(stage.repo.path, 'report.md'), 'utf8')).toContain(target);
  });

  it('is the same list for gates, and settings can name the host too', async () => {
    await using stage = await openNetworkStage((port) => ({ settings: { sandbox: { allowHosts: [`localhost:${port}`] } } }));
    const { code, stderr } = await stage.ralph('run', '-p', 'Do it.', '-m', '1', '--agent', 'echo DONE', '--guardrail', stage.asks, '--sandbox=os');
    expect(code, stderr).toBe(0);
    expect(answersIn(stage)).toEqual(ANSWERS);
  });

  it('names the program of this machine that a red check did not reach, and the flag that allows it', async () => {
    await using stage = await openNetworkStage();
    const check = `node -e "require('net').connect(${stage.port}, '127.0.0.1').on('error', ({ message }) => { console.log(message); process.exit(1) })"`;
    const run = await stage.ralph('run', '-p', 'Do it.', '-m', '1', '--agent', 'echo DONE', '--guardrail', check, '--sandbox=os');
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toContain(`behind the sandbox nothing reaches it. Allow it with --allow-host localhost:${stage.port}\n`);
  });

  it.each(['https://example.org', 'a/b'])('refuses %j as a host before any agent is started', async (host) => {
    await using stage = await openHostileStage();
    const { code, stderr } = await stage.ralph('run', '-p', 'Do it.', '--agent', 'echo DONE', '--guardrail', 'true', '--sandbox=os', '--allow-host', host);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not a host') });
    expect(stderr).not.toContain('iteration 1');
  });
});
