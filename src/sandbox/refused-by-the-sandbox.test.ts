import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closedPortsIn, refusedIn } from './sandbox-refusals.ts';

const finished = (output: string) => ({ type: 'tool.finished' as const, id: '1', ok: false, output });

describe('the output of an agent', () => {
  it.each([
    "ok\ntouch: cannot touch '/etc/motd': Read-only file system\nmore",
    "Error: EROFS: read-only file system, open '/etc/motd'",
    'Exit code 1\n(eval):1: read-only file system: /etc/motd',
    'open /etc/motd: read-only file system',
    `(eval):1: read-only file system: /etc/motd/${'deep/'.repeat(40)}`,
  ])('shows a refused write: %j', (output) => {
    expect(refusedIn(finished(output), false)).toEqual([{ what: 'write', target: expect.stringContaining('/etc/motd') }]);
  });

  it('shows no refused write for other errors', () => {
    expect(refusedIn(finished('Permission denied'), false)).toEqual([]);
    expect(refusedIn(finished('--root DIR  a folder on a read-only file system'), false)).toEqual([]);
    expect(refusedIn({ type: 'reasoning', text: 'Read-only file system' }, true)).toEqual([]);
  });

  it('counts an agent’s own messages only if it prints nothing else', () => {
    const said = { type: 'message', text: 'It said: Read-only file system' } as const;
    expect(refusedIn(said, false)).toEqual([]);
    expect(refusedIn(said, true)).toMatchObject([{ what: 'write' }]);
  });
});

describe('a program of this machine that a process of the sandbox did not reach', () => {
  const listening = () => new Set([5432, 8080]);
  const told = (output: string) => closedPortsIn(output, listening).map(({ target }) => target);

  it.each([
    ['node', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
    ['node, IPv6', 'Error: connect ECONNREFUSED ::1:5432'],
    ['psql', 'psql: error: connection to server at "127.0.0.1", port 5432 failed: Connection refused\n\tIs the server running on that host'],
    [
      'psql of old',
      'could not connect to server: Connection refused\n\tIs the server running on host "localhost" (127.0.0.1) and accepting TCP/IP connections on port 5432?',
    ],
    ['go', 'dial tcp 127.0.0.1:5432: connect: connection refused'],
    ['redis-py', 'redis.exceptions.ConnectionError: Error 111 connecting to localhost:5432. Connection refused.'],
    ['mysql', "(2003, \"Can't connect to MySQL server on 'localhost:5432' ([Errno 111] Connection refused)\")"],
    ['requests', "HTTPConnectionPool(host='localhost', port=5432): Max retries exceeded (Caused by NewConnectionError: [Errno 111] Connection refused)"],
    ['curl', "curl: (7) Failed to connect to localhost port 5432 after 0 ms: Couldn't connect to server"],
  ])('is named from what %s prints', (_program, output) => {
    expect(told(output)).toEqual(['localhost:5432']);
  });

  it('is not one where nobody listens, or that nobody complains about', () => {
    expect(told('connect ECONNREFUSED 127.0.0.1:5433')).toEqual([]);
    expect(told('listening on 127.0.0.1:5432')).toEqual([]);
    expect(told('connect ECONNREFUSED 10.127.0.0.1:5432, db.localhost:54321')).toEqual([]);
  });

  it('is found in the tables of the kernel', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(closedPortsIn(`connect ECONNREFUSED 127.0.0.1:${port}`)).toEqual([{ what: 'network', target: `localhost:${port}` }]);
    server.close();
    await once(server, 'close');
    expect(closedPortsIn(`connect ECONNREFUSED 127.0.0.1:${port}`)).toEqual([]);
  });
});
