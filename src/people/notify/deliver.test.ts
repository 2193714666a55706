import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { Delivery } from '../channels/channel.ts';
import { deliver } from './deliver.ts';

interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on loopback that answers with these statuses, one after the other; null: it never answers. */
async function openServer(...statuses: readonly (number | null)[]): Promise<{ readonly url: string; readonly heard: Heard[] } & AsyncDisposable> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = statuses[heard.length] ?? null;
      heard.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end(status === 200 ? 'ok' : 'no such\nhook');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const place = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, marker: 'test~1/notify', backoffMs: [1, 1] };
const never = new AbortController().signal;
const post = (url: string, signWith: string | null = null): Delivery => ({ via: 'http', url, headers: {}, body: '{"a":"ä"}', signWith });

describe('a web request', () => {
  it('is signed over time and body, and has an id', async () => {
    await using server = await openServer(200);
    expect(await deliver(post(`${server.url}/hook`, 'k3y'), 'r:7', place, never)).toBeNull();
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = server.heard;
    expect({ url, body, id: headers['x-ralph-id'], type: headers['content-type'] }).toEqual({
      url: '/hook',
      body: '{"a":"ä"}',
      id: 'r:7',
      type: 'application/json',
    });
    const time = String(headers['x-ralph-timestamp']);
    expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60);
    expect(headers['x-ralph-signature']).toBe(`sha256=${createHmac('sha256', 'k3y').update(`${time}.${body}`).digest('hex')}`);
  });

  it('is retried while the server is busy or broken, with the same id', async () => {
    await using server = await openServer(503, 429, 200);
    expect(await deliver(post(server.url), 'r:7', place, never)).toBeNull();
    expect(server.heard.map(({ headers }) => headers['x-ralph-id'])).toEqual(['r:7', 'r:7', 'r:7']);
  });

  it('is given up after the last retry, and at once when the server refuses it', async () => {
    await using broken = await openServer(500, 500, 500, 200);
    expect(await deliver(post(broken.url), 'r:7', place, never)).toBe('the server answered 500: no such hook');
    expect(broken.heard).toHaveLength(3);
    await using refusing = await openServer(404, 200);
    expect(await deliver(post(refusing.url), 'r:7', place, never)).toBe('the server answered 404: no such hook');
  });

  it('follows no redirect: another server must not get the message', async () => {
    await using server = await openServer(302, 200);
    expect(await deliver(post(server.url), 'r:7', place, never)).toContain('302');
    expect(server.heard).toHaveLength(1);
  });

  it('ends with an abort, also when the server never answers', async () => {
    await using server = await openServer(null);
    const control = new AbortController();
    const sending = deliver(post(server.url), 'r:7', place, control.signal);
    while (server.heard.length === 0) await new Promise(setImmediate);
    control.abort();
    expect(await sending).toBe('there was no answer in time');
  });

  it('does not repeat an address that it cannot use', async () => {
    expect(await deliver(post('s3cr3t'), 'r:7', { ...place, backoffMs: [] }, never)).toBe('the address is not a web address');
  });
});

describe('a program', () => {
  it('gets the text as its input and the arguments as they are', async () => {
    await using folder = await openThrowAwayFolder();
    const [file, out] = [join(folder.path, 'sendmail'), join(folder.path, 'out')];
    await writeFile(file, `#!/bin/sh\n{ for each in "$@"; do echo "[$each]"; done; cat; } > '${out}'\n`, { mode: 0o755 });
    const stdin = `$(id) \`id\`\n.\n${'x'.repeat(200_000)}`;
    expect(await deliver({ via: 'program', file, args: ['--', '$(id)', 'a b'], stdin }, 'r:7', place, never)).toBeNull();
    expect(await readFile(out, 'utf8')).toBe(`[--]\n[$(id)]\n[a b]\n${stdin}`);
  });

  it('that does not exist or fails is told, with its last words', async () => {
    expect(await deliver({ via: 'program', file: '/nowhere/notify-send', args: [], stdin: 'x' }, 'r:7', place, never)).toContain('could not be started');
    expect(await deliver({ via: 'shell', line: 'echo "no bus" >&2; exit 3', env: {}, stdin: 'x' }, 'r:7', place, never)).toBe('it exited with code 3: no bus');
  });

  it('ends with an abort, and all that it started with it', async () => {
    const control = new AbortController();
    const sending = deliver({ via: 'shell', line: 'sleep 1000 & sleep 1000', env: {}, stdin: '' }, 'r:7', place, control.signal);
    setImmediate(() => control.abort());
    expect(await sending).toBe('it was stopped');
  });
});
