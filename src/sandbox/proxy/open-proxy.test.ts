import { existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { type HostPattern, parseHostPattern } from './match-host.ts';
import { openProxy, type ProxyOptions } from './open-proxy.ts';

let folder: ThrowAwayFolder;
let server: Server;
let port: number;
let seen: string[];
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  seen = [];
  server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers.host} ${Buffer.concat(body)}`);
      response.setHeader('Set-Cookie', ['a=1', 'b=2']).end(`hello ${JSON.stringify(request.headers)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await folder[Symbol.asyncDispose]();
});

const socketIn = () => join(folder.path, 'proxy.sock');

async function proxyTo(hosts: readonly string[], rest: Partial<ProxyOptions> = {}) {
  const refused: string[] = [];
  const patterns = hosts.map(parseHostPattern).filter((each): each is HostPattern => each !== null);
  const proxy = await openProxy({ hosts: patterns, listenOn: { socket: socketIn() }, upstream: {}, onRefused: (target) => void refused.push(target), ...rest });
  return { refused, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

/** Writes bytes as they are, and reads until the other side ends or is silent. */
async function talk(bytes: string, path = socketIn()): Promise<string> {
  const socket = connect(path);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.write(bytes);
  await new Promise<void>((resolve) => {
    socket.setTimeout(1_500, resolve);
    socket.on('close', () => resolve()).on('error', () => resolve());
  });
  socket.destroy();
  return heard;
}

describe('the proxy', () => {
  it('has a socket that only our user can open, and removes it when it is closed', async () => {
    const proxy = await proxyTo([]);
    expect(statSync(socketIn()).mode & 0o777).toBe(0o600);
    await proxy[Symbol.asyncDispose]();
    expect(existsSync(socketIn())).toBe(false);
  });

  it('opens a tunnel to an allowed host', async () => {
    await using _proxy = await proxyTo([`127.0.0.1:${port}`]);
    const heard = await talk(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(seen).toEqual(['GET /x h ']);
  });

  it('refuses other hosts with one line, and reports each once', async () => {
    await using proxy = await proxyTo([`127.0.0.1:${port}`]);
    for (const target of ['evil.example:443', 'evil.example:443', `127.0.0.2:${port}`]) {
      expect(await talk(`CONNECT ${target} HTTP/1.1\r\n\r\n`)).toContain('sandbox.allowHosts');
    }
    expect(proxy.refused).toEqual(['evil.example:443', `127.0.0.2:${port}`]);
  });

  it('forwards plain requests with the checked host, and without the headers for the proxy', async () => {
    await using _proxy = await proxyTo([`127.0.0.1:${port}`]);
    const heard = await talk(
      `POST http://127.0.0.1:${port}/a?b HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: x\r\nX-Secret: y\r\nConnection: close, x-secret\r\nContent-Length: 3\r\n\r\nabc`,
    );
    expect(seen).toEqual([`POST /a?b 127.0.0.1:${port} abc`]);
    expect(heard).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2');
    expect(heard).not.toMatch(/proxy-authorization|x-secret/i);
  });

  it('checks every request of a connection', async () => {
    await using proxy = await proxyTo([`127.0.0.1:${port}`]);
    const heard = await talk(
      `GET http://127.0.0.1:${port}/1 HTTP/1.1\r\nHost: a\r\n\r\nGET http://evil.example/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(heard).toContain('403 Forbidden');
    expect(proxy.refused).toEqual(['evil.example:80']);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 30\r\n\r\nabcGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['odd chunks', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['chunks of a GET', 'Transfer-Encoding: chunked\r\n\r\n28\r\nGET /smuggled HTTP/1.1\r\nHost: xxxxxx\r\n\r\n\r\n0\r\n\r\n'],
  ])('forwards no second request that is hidden in %s', async (_what, rest) => {
    await using _proxy = await proxyTo([`127.0.0.1:${port}`]);
    await talk(`GET http://127.0.0.1:${port}/first HTTP/1.1\r\nHost: a\r\n${rest}`);
    expect(seen.filter((line) => line.startsWith('GET /smuggled'))).toEqual([]);
  });

  it.each([
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://a@127.0.0.1/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'CONNECT nowhere HTTP/1.1\r\n\r\n',
    'GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
  ])('rejects a request without a valid host: %j', async (bytes) => {
    await using proxy = await proxyTo(['*']);
    expect(await talk(bytes)).toMatch(/^HTTP\/1\.1 400/);
    expect(proxy.refused).toEqual([]);
  });

  it('refuses a name from outside that resolves to this machine', async () => {
    await using proxy = await proxyTo(['ip6-localhost', '*.localdomain']);
    expect(await talk('CONNECT ip6-localhost:80 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 (403|502)/);
    expect(seen).toEqual([]);
    expect(proxy.refused.length).toBeLessThanOrEqual(1);
  });

  it('uses the proxy of the host', async () => {
    const heads: string[] = [];
    const upstream = createTcpServer((socket) => {
      socket.once('data', (chunk) => {
        heads.push(chunk.toString());
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nthere');
      });
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const url = `http://me:word@127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    await using _proxy = await proxyTo(['far.example', 'near.example'], { upstream: { HTTPS_PROXY: url, http_proxy: url, NO_PROXY: 'near.example' } });
    expect(await talk('CONNECT far.example:443 HTTP/1.1\r\n\r\n')).toContain('200 Connection Established');
    expect(await talk('GET http://far.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toContain('there');
    expect(heads[0]).toMatch(/^CONNECT far\.example:443 HTTP\/1\.1\r\nHost: far\.example:443\r\nProxy-Authorization: Basic bWU6d29yZA==\r\n\r\n$/);
    expect(heads[1]).toMatch(/^GET http:\/\/far\.example:80\/x HTTP\/1\.1\r\n/);
    await talk('GET http://near.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(heads).toHaveLength(2);
    upstream.close();
  });

  it('replaces the socket of a killed proxy, and closes its connections when it is closed', async () => {
    const proxy = await proxyTo([`127.0.0.1:${port}`]);
    const socket = connect(socketIn());
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await proxy[Symbol.asyncDispose]();
    await closed;
    await using again = await proxyTo([]);
    expect(again.refused).toEqual([]);
  });
});
