import { describe, expect, it } from 'vitest';
import { COOKIE, openUiStage, TOKEN } from '../../../test/support/ui-stage.ts';

describe('who may use the page of ralph ui', () => {
  it('is whoever has the token, once in the address, then as a strict cookie that no script can read', async () => {
    await using stage = await openUiStage();
    const invited = await stage.ask(`/?token=${TOKEN}`, { cookie: '' });

    expect(invited.status).toBe(200);
    expect(invited.headers.get('set-cookie')).toBe(`${COOKIE}; Path=/; HttpOnly; SameSite=Strict`);
    expect((await stage.ask('/')).status).toBe(200);
    expect((await stage.ask('/', { cookie: '' })).status).toBe(401);
    expect((await stage.ask('/?token=another-token!', { cookie: '' })).status).toBe(401);
    for (const path of ['/api/overview', '/api/history', '/api/stream', '/api/runs/x']) expect((await stage.ask(path, { cookie: '' })).status).toBe(401);
    expect((await stage.ask('/api/overview', { cookie: `ralph-ui-4748=${TOKEN}` })).status).toBe(401);
    expect((await stage.post({ kind: 'stop', run: 'x' }, { cookie: '' })).status).toBe(401);
  });

  it('is nobody who comes by a name that is not ours, as with DNS rebinding', async () => {
    await using stage = await openUiStage();
    for (const host of ['evil.example:4747', '127.0.0.1:9999', '127.0.0.1', 'localhost.evil.example:4747', '192.168.1.7:4747', ''])
      expect([host, (await stage.ask('/api/overview', { host })).status]).toEqual([host, 403]);
    for (const host of ['127.0.0.1:4747', 'localhost:4747', '[::1]:4747', 'LOCALHOST:4747'])
      expect([host, (await stage.ask('/api/overview', { host })).status]).toEqual([host, 200]);
  });

  it('may be other machines only at the address that --host names, or at any number of this machine', async () => {
    await using named = await openUiStage({ host: '10.0.0.5' });
    await using everywhere = await openUiStage({ host: '0.0.0.0' });
    const asks = async (stage: typeof named, host: string) => (await stage.ask('/api/overview', { host })).status;

    expect([await asks(named, '10.0.0.5:4747'), await asks(named, '10.0.0.6:4747'), await asks(named, 'evil.example:4747')]).toEqual([200, 403, 403]);
    expect([await asks(everywhere, '10.0.0.6:4747'), await asks(everywhere, 'evil.example:4747')]).toEqual([200, 403]);
  });

  it('is no other page: an action needs our origin, and another site may not even read', async () => {
    await using stage = await openUiStage();
    await stage.addRecorded('20260101-000000-aaaaaa', 'run-plain');
    const action = { kind: 'pause', run: '20260101-000000-aaaaaa' };
    const foreign = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: 'http://localhost:4747' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) expect([headers, (await stage.post(action, headers)).status]).toEqual([headers, 403]);
    expect((await stage.ask('/api/overview', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await stage.post(action, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(stage.actions).toEqual([]);
    expect((await stage.post(action, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect(stage.actions).toEqual([action]);
  });

  it('gets with every answer that nothing from elsewhere is loaded, run, framed or kept', async () => {
    await using stage = await openUiStage();
    for (const answer of [await stage.ask('/'), await stage.ask('/api/overview'), await stage.ask('/nothing'), await stage.ask('/', { host: 'evil' })]) {
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('cannot name a path: files are a list, and runs are those that were found', async () => {
    await using stage = await openUiStage();
    await stage.addRecorded('20260101-000000-aaaaaa', 'run-plain');
    const paths = ['/assets/..%2f..%2fpackage.json', '/assets/__proto__', '/api/runs/..%2f..', '/api/runs/..%2fruns%2f20260101-000000-aaaaaa', '/etc/passwd'];
    for (const path of paths) expect([path, (await stage.ask(path)).status]).toEqual([path, 404]);
    expect((await stage.post({ kind: 'stop', run: '../20260101-000000-aaaaaa' })).status).toBe(404);
    expect(stage.actions).toEqual([]);
  });

  it('may do nothing with --read-only, and is told nothing that is not an action', async () => {
    await using closed = await openUiStage({ readOnly: true });
    await closed.addRecorded('20260101-000000-aaaaaa', 'run-plain');
    expect((await closed.post({ kind: 'pause', run: '20260101-000000-aaaaaa' })).status).toBe(403);
    expect(await closed.json('/api/overview')).toMatchObject({ read_only: true });

    await using open = await openUiStage();
    for (const body of ['', '[]', '{"kind":"answer"}', { kind: 'rm', run: 'x' }, { kind: 'pause', run: 'x', more: 1 }, `"${'x'.repeat(200_000)}"`])
      expect((await open.post(body)).status).toBe(400);
  });
});
