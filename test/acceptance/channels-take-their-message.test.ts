import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace } from '../support/place.ts';

const SECRETS = { SLACK_URL: '', BOT: '12:hush-bot', TOPIC: 'hush-topic', NTFY: 'hush-ntfy', KEY: 'hush-key' };
/** The folder's name is part of every title, and the agent's words are part of every text. */
const FOLDER = '<!channel> $(touch pwned) & "x" `id` ä';
const WORDS = 'Which <!here> account? $(touch pwned) <b>x</b> @everyone';

interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

/** Slack, Telegram, ntfy and a webhook on loopback. `statusOf` is asked with how many requests of that path came before. */
async function openProviders(statusOf: (before: number) => number) {
  const heard: Heard[] = [];
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const status = statusOf(heard.filter((each) => each.path === path).length);
      const body = Buffer.concat(chunks).toString();
      heard.push({ path, headers: request.headers, body, status });
      // What a server repeats of a request must not be shown.
      answer.writeHead(status).end(`no: ${path} ${request.headers.authorization} ${body}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A run that asks a person, in a folder with a hostile name, with every channel that needs no desktop. */
async function tell(url: string, { run, sendmail }: { readonly run: (beside: string) => string; readonly sendmail: string }) {
  const place = await openGitPlace();
  const cwd = join(place.beside, FOLDER);
  mkdirSync(join(cwd, '.ralph'), { recursive: true });
  const mailer = join(place.beside, 'sendmail.sh');
  writeFileSync(mailer, sendmail, { mode: 0o755 });
  writeFileSync(join(place.beside, 'agent.sh'), `cat >/dev/null\necho '<promise>BLOCKED: ${WORDS}</promise>'\n`);
  const notify = {
    slack: { url: 'env:SLACK_URL' },
    telegram: { token: 'env:BOT', chat: '-100', api: url },
    ntfy: { topic: 'env:TOPIC', server: `${url}/ntfy`, token: 'env:NTFY' },
    webhook: { url: `${url}/hook`, secret: 'env:KEY' },
    email: { to: ['a@example.org'], from: 'ralph@example.org', sendmail: mailer },
    command: { run: run(place.beside) },
  };
  writeFileSync(join(cwd, '.ralph/settings.json'), JSON.stringify({ notify, agent: { command: `sh ${join(place.beside, 'agent.sh')}` } }));
  const ended = await place.ralph(['run', '-p', 'x', '-m', '1', '--sandbox=guard', '--json'], {
    cwd,
    env: { ...SECRETS, SLACK_URL: `${url}/services/hush-slack` },
  });
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
  const all = [ended.stdout, ended.stderr, written].join('\n');
  const beside = (name: string) => (existsSync(join(place.beside, name)) ? readFileSync(join(place.beside, name), 'utf8') : '');
  return { ...ended, all, beside, isPwned: existsSync(join(cwd, 'pwned')), [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

const SENDMAIL = '#!/bin/sh\nhere=$(dirname "$0")\n{ echo "$@"; cat; } >>"$here/mail"\n';

describe.concurrent('a question of an agent', () => {
  it('is told once by every channel, after a retry, and its words stay text', async () => {
    await using server = await openProviders((before) => (before === 0 ? 503 : 200));
    await using told = await tell(server.url, { run: (beside) => `cat >>'${beside}/told'; echo "$RALPH_TITLE" >>'${beside}/titles'`, sendmail: SENDMAIL });
    const taken = server.heard.filter(({ status }) => status === 200);
    expect(taken.map(({ path }) => path).sort()).toEqual(['/bot12:hush-bot/sendMessage', '/hook', '/ntfy', '/services/hush-slack']);
    expect(server.heard, 'each has refused it once').toHaveLength(8);
    expect(new Set(server.heard.map(({ headers }) => headers['x-ralph-id'])).size).toBe(1);
    const at = (path: string): Pick<Heard, 'headers' | 'body'> => taken.find((each) => each.path.includes(path)) ?? { headers: {}, body: '{}' };
    const title = `Ralph (run) in ${FOLDER} has stopped (waiting) and needs you`;
    const text = expect.stringContaining(WORDS);

    expect(JSON.parse(at('slack').body)).toEqual({
      text: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
        { type: 'section', text: { type: 'plain_text', text, emoji: false } },
      ],
    });
    const { text: sent, entities, chat_id } = JSON.parse(at('/bot').body);
    expect([chat_id, sent.slice(0, entities[0].offset), entities[0].type, sent.length]).toEqual([
      '-100',
      `${title}\n`,
      'pre',
      entities[0].offset + entities[0].length,
    ]);
    expect(JSON.parse(at('ntfy').body)).toEqual({ topic: 'hush-topic', title, message: text, priority: 4 });
    expect(at('ntfy').headers['authorization']).toBe('Bearer hush-ntfy');
    const { headers, body } = at('hook');
    expect(JSON.parse(body)).toMatchObject({ version: 1, title, events: expect.arrayContaining(['needs_you']) });
    expect(headers['x-ralph-signature']).toBe(`sha256=${createHmac('sha256', 'hush-key').update(`${headers['x-ralph-timestamp']}.${body}`).digest('hex')}`);

    expect(told.beside('titles')).toBe(`${title}\n`);
    expect(JSON.parse(told.beside('told'))).toEqual(JSON.parse(body));
    const [args, from, to, subject] = told.beside('mail').split('\n');
    expect([args, from, to]).toEqual(['-i -f ralph@example.org -- a@example.org', 'From: ralph@example.org', 'To: a@example.org']);
    expect(subject).toMatch(/^Subject: =\?utf-8\?Q\?/);
    expect(told.beside('mail')).toContain(WORDS);

    expect({ pwned: told.isPwned, warned: /was not told/.test(told.stderr) }).toEqual({ pwned: false, warned: false });
    expect(told.all).not.toContain('hush-');
  });

  it('that no channel takes changes nothing for the run, is said once of each, and shows no secret', async () => {
    await using server = await openProviders(() => 403);
    await using refused = await tell(server.url, { run: () => 'cat; echo "$RALPH_TITLE" >&2; exit 3', sendmail: '#!/bin/sh\nexit 75\n' });
    await using taken = await openProviders(() => 200);
    await using told = await tell(taken.url, { run: () => 'cat >/dev/null', sendmail: SENDMAIL });
    expect([refused.code, JSON.parse(refused.stdout).stop_reason]).toEqual([told.code, JSON.parse(told.stdout).stop_reason]);
    const warned = [...refused.stderr.matchAll(/^warning: (\w+) was not told: (.*)$/gm)].map(([, name = '', why = '']) => [name, why.slice(0, 23)]);
    expect(warned.sort()).toEqual([
      ['command', expect.stringMatching(/^it exited with code 3/)],
      ['email', 'it exited with code 75'],
      ...['ntfy', 'slack', 'telegram', 'webhook'].map((name) => [name, 'the server answered 403']),
    ]);
    expect(server.heard, 'a refusal is final').toHaveLength(4);
    expect({ pwned: refused.isPwned, shown: refused.all.split('\n').filter((line) => line.includes('hush-')) }).toEqual({ pwned: false, shown: [] });
  });
});
