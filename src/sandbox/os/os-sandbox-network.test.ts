import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';

async function serve(words: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => response.end(`${words} ${request.method} ${request.headers.host}\n`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

describe.skipIf(bubblewrapIsMissing())('the network in the os sandbox', () => {
  let allowed: Awaited<ReturnType<typeof serve>>;
  let forbidden: Awaited<ReturnType<typeof serve>>;
  let stage: SandboxStage;
  beforeAll(async () => {
    [allowed, forbidden] = [await serve('allowed'), await serve('forbidden')];
    stage = await openSandboxStage(({ repo }) => ({ hosts: [`localhost:${allowed.port}`, 'example.org'], sockets: [join(repo.beside, 'door.sock')] }));
  });
  afterAll(async () => {
    for (const { server } of [allowed, forbidden]) server.close();
    await stage[Symbol.asyncDispose]();
  });

  it('does not reach another port of the host’s loopback', async () => {
    const script = `curl -s --max-time 10 http://127.0.0.1:${forbidden.port}/`;
    expect((await stage.inside(script)).said).not.toContain('forbidden');
    expect((await stage.outside(script)).said).toContain('forbidden');
  });

  it.each(['localhost', '127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost.'])(
    'does not reach that port through the proxy either, under the name %s',
    async (name) => {
      const { said } = await stage.inside(
        `curl -sg --max-time 10 --noproxy '' http://${name}:${forbidden.port}/; curl -sg --max-time 10 --noproxy '' -p http://${name}:${forbidden.port}/`,
      );
      expect(said).not.toContain('forbidden ');
      expect(said).toContain('sandbox.allowHosts');
    },
  );

  it('reports a host that is not on the list once', async () => {
    await stage.inside('for n in 1 2 3; do curl -s http://evil.example/; curl -s https://evil.example/; done');
    const told = stage.refused.filter(({ target }) => target.startsWith('evil.example'));
    expect(told).toEqual([
      { what: 'network', target: 'evil.example:80' },
      { what: 'network', target: 'evil.example:443' },
    ]);
  });

  it('reaches an allowed host through the proxy, with plain HTTP and a tunnel', async () => {
    const url = `http://localhost:${allowed.port}/`;
    expect((await stage.inside(`curl -s --noproxy '' ${url}`)).said).toContain(`allowed GET localhost:${allowed.port}`);
    expect((await stage.inside(`curl -s --noproxy '' -p ${url}`)).said).toContain('allowed GET');
  });

  it('reaches an allowed port of loopback for a client without proxy support', async () => {
    const script = `require('node:http').get('http://127.0.0.1:${allowed.port}/', (r) => r.pipe(process.stdout))`;
    expect((await stage.inside(`node -e "${script}"`)).said).toContain('allowed GET');
    expect((await stage.inside(`curl -s http://localhost:${allowed.port}/`)).said).toContain('allowed GET');
  });

  it('lets a server and a client inside talk to each other', async () => {
    const server = "require('node:http').createServer((q, r) => r.end('from inside')).listen(18099, '127.0.0.1')";
    const { said } = await stage.inside(`node -e "${server}" & until curl -s http://localhost:18099/; do sleep 0.1; done; kill $!`);
    expect(said).toContain('from inside');
  });

  it('reaches the door of the run, and no other socket', async () => {
    const door = createServer((_request, response) => response.end('the door'));
    await new Promise<void>((resolve) => door.listen(join(stage.repo.beside, 'door.sock'), resolve));
    expect((await stage.inside('curl -s --unix-socket ../beside/door.sock http://door/')).said).toContain('the door');
    door.close();
  });

  it('allows nothing when the list is empty, and still reports what was refused', async () => {
    await using closed = await openSandboxStage();
    const through = await closed.inside('curl -sf --max-time 5 http://example.org/ || echo none');
    const past = await closed.inside("curl -sf --noproxy '*' --max-time 5 http://192.0.2.1/ || echo none");
    expect(through.said).toContain('none');
    expect(past.said).toContain('none');
    expect(closed.refused).toEqual([{ what: 'network', target: 'example.org:80' }]);
  });
});
