import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { definitionNamed } from '../../agents/find-definition.ts';
import { NO_SANDBOX } from '../../settings/schema/sandbox-spec.ts';
import type { VendorAgent } from './agent-programs.ts';
import type { PlannedRun } from './finding.ts';
import { checkModel, reach } from './model-reach.ts';

/** A port on which something listens and never says a word; with `closed`, one on which nothing does. */
async function portOf(state: 'open' | 'closed'): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  if (state === 'closed') await close();
  else onTestFinished(close);
  return port;
}

async function check(env: Readonly<Record<string, string>>, { mode = 'guard', hosts = [] as string[] }: { mode?: 'guard' | 'os'; hosts?: string[] } = {}) {
  const definition = definitionNamed('codex');
  if (definition.preflight === null) throw new Error('codex has no checks');
  const place = { env, hostEnv: env, home: '/nowhere', cwd: '/nowhere', model: null, flags: [] };
  const agent = { spec: { kind: 'codex' }, definition, preflight: await definition.preflight(), file: '', place } as unknown as VendorAgent;
  const run = { settings: { wall: { ...NO_SANDBOX, mode, hosts } }, workspace: { env: {} } } as unknown as PlannedRun;
  return await checkModel(agent, run);
}

describe('the model of an agent', () => {
  it('is well if its address accepts a connection', async () => {
    const url = `http://127.0.0.1:${await portOf('open')}/v1`;
    expect(await check({ OPENAI_BASE_URL: url })).toEqual({ findings: [], ok: [expect.stringContaining('(OPENAI_BASE_URL)')] });
  });

  it('keeps a run from starting if nothing listens there, and the finding names the setting', async () => {
    const port = await portOf('closed');
    const { findings } = await check({ OPENAI_BASE_URL: `http://127.0.0.1:${port}` });
    expect(findings).toEqual([
      expect.objectContaining({ isFatal: true, where: 'OPENAI_BASE_URL', what: expect.stringContaining(`127.0.0.1:${port}: nothing listens there`) }),
    ]);
  });

  it('is not looked for at an address that is no web address', async () => {
    expect(await check({ OPENAI_BASE_URL: 'unix:/run/model.sock' })).toEqual({ findings: [], ok: [] });
  });

  it('is reached through the proxy, if there is one', async () => {
    const proxy = (port: number) => ({ OPENAI_BASE_URL: 'https://model.invalid', HTTPS_PROXY: `http://127.0.0.1:${port}` });
    expect(await check(proxy(await portOf('open')))).toEqual({ findings: [], ok: [expect.stringContaining('the proxy to the model of codex answers')] });
    const { findings } = await check(proxy(await portOf('closed')));
    expect(findings).toEqual([expect.objectContaining({ isFatal: true, where: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY' })]);
  });

  it('is reached directly on loopback, whatever the proxy', async () => {
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${await portOf('open')}`, HTTP_PROXY: `http://127.0.0.1:${await portOf('closed')}` };
    expect(await check(env)).toMatchObject({ findings: [] });
  });

  it('must be allowed by the os sandbox', async () => {
    const port = await portOf('open');
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}` };
    const { findings } = await check(env, { mode: 'os' });
    expect(findings).toEqual([expect.objectContaining({ isFatal: true, fix: expect.stringContaining(`--allow-host 127.0.0.1:${port}`) })]);
    expect(await check(env, { mode: 'os', hosts: [`127.0.0.1:${port}`] })).toMatchObject({ findings: [] });
  });
});

describe('the key of an agent', () => {
  const KEY = 'sk-secret-4711';

  /** A provider that answers every request in one way, and what it was asked. */
  async function providerWho(answers: (answer: ServerResponse) => void) {
    const asked: string[] = [];
    const server = createHttpServer(({ method, url, headers }, answer) => {
      asked.push(`${method} ${url} ${headers.authorization}`);
      answers(answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  const status = (code: number) => (answer: ServerResponse) => void answer.writeHead(code).end(`{"error":{"message":"Incorrect API key provided: ${KEY}"}}`);

  it.each([401, 403])('keeps a run from starting if its provider answers %i, and is shown to nobody', async (code) => {
    const provider = await providerWho(status(code));
    const { findings } = await check({ OPENAI_BASE_URL: `${provider.url}/v1`, CODEX_API_KEY: KEY });
    expect(findings).toEqual([
      {
        what: `the model of codex refuses its key: ${new URL(provider.url).host} answers ${code}`,
        where: 'CODEX_API_KEY',
        fix: `Set a key that ${provider.url} accepts, or correct the address.`,
        isFatal: true,
      },
    ]);
    expect(provider.asked).toEqual([`GET /v1/models Bearer ${KEY}`]);
  });

  it('is well if its provider answers 200', async () => {
    const { url } = await providerWho(status(200));
    expect(await check({ OPENAI_BASE_URL: url, CODEX_API_KEY: KEY })).toMatchObject({
      findings: [],
      ok: [expect.anything(), expect.stringContaining('accepts the key in CODEX_API_KEY')],
    });
  });

  it.each<[string, (answer: ServerResponse) => void]>([
    ['404', status(404)],
    ['400', status(400)],
    ['500', status(500)],
    ['nothing', () => undefined],
    ['no HTTP', (answer) => void answer.socket?.end('hello\r\n')],
  ])('is no reason to stop if its provider answers %s', async (_name, answers) => {
    const { url } = await providerWho(answers);
    expect(await check({ OPENAI_BASE_URL: url, CODEX_API_KEY: KEY })).toEqual({ findings: [], ok: [expect.stringContaining('answers at')] });
  });

  it('does not follow a redirect', async () => {
    const other = await providerWho(status(401));
    const provider = await providerWho((answer) => void answer.writeHead(302, { location: `${other.url}/v1/models` }).end());
    expect(await check({ OPENAI_BASE_URL: provider.url, CODEX_API_KEY: KEY })).toMatchObject({ findings: [] });
    expect([provider.asked.length, other.asked]).toEqual([1, []]);
  });

  it.each(['http', 'https'])('is not seen by a proxy on the way to an %s address', async (scheme) => {
    const proxy = await providerWho(status(401));
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, OPENAI_BASE_URL: `${scheme}://model.invalid`, CODEX_API_KEY: KEY };
    expect(await check(env)).toMatchObject({ findings: [], ok: [expect.stringContaining('the proxy to the model of codex answers')] });
    expect(proxy.asked).toEqual([]);
  });
});

describe('a connection', () => {
  it('is refused if the name does not resolve', async () => {
    expect(await reach({ host: 'no-such-host.invalid', port: 443 }, 20_000)).toMatchObject({ kind: 'refused' });
  });

  it('is only slow if the name does not resolve in time', async () => {
    // Nearly always too late; a very fast machine refuses the name.
    const reached = await reach({ host: 'no-such-host.invalid', port: 443 }, 0);
    expect(reached).not.toMatchObject({ kind: 'refused', why: expect.stringMatching(/in time|within/) });
  });

  it('is only slow if an address does not answer in time', async () => {
    // Reserved for documentation: no machine has this address. Without a network it is refused at once.
    const reached = await reach({ host: '192.0.2.1', port: 443 }, 50);
    expect(['slow', 'refused']).toContain(reached.kind);
  });
});
