import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { messageOf } from '../notices/notices.ts';
import type { Delivery, Message } from './channel.ts';
import { CHANNEL_NAMES, CHANNELS, type ChannelName } from './channels.ts';

/** Options with their secrets, as a run would use them. */
const OPTIONS: Readonly<Record<ChannelName, Readonly<Record<string, unknown>>>> = {
  desktop: {},
  command: { run: 'tell' },
  webhook: { url: 'https://example.org/hook', secret: 'k3y' },
  slack: { url: 'https://example.org/slack' },
  telegram: { token: '12:ab', chat: '-100' },
  ntfy: { topic: 'news', token: 'tk' },
  email: { to: ['a@example.org', 'b@example.org'], from: 'ralph@example.org' },
};

/** What an agent could print to do harm. */
const HOSTILE = [
  'two\nlines\r\nBcc: x@evil.example\r\n\r\n.\r\n',
  '"; $(touch /tmp/pwned) `id` \' && rm -rf / #',
  '<!channel> <!here> <@U123> @channel @everyone <b>bold</b> *x* _y_ <https://evil.example|click>',
  '--help',
  '-- -e "do shell script"',
  '\u001b]0;title\u0007\u202eright to left\u0000',
  'x'.repeat(1_000_000),
];

const hostile = (): Message =>
  messageOf(
    HOSTILE.map((text, at) => ({ seq: at + 1, atMs: 1, events: ['needs_you'] as const, text })),
    { run: 'r-1', recipe: 'work', project: 'shop', hide: (text) => text },
  );

const sent = (name: ChannelName, message = hostile(), platform = 'linux') => CHANNELS[name].deliver(message, OPTIONS[name], platform);

function via<V extends Delivery['via']>(name: ChannelName, kind: V, platform = 'linux'): Extract<Delivery, { via: V }> {
  const delivery = sent(name, hostile(), platform);
  if (delivery.via !== kind) throw new Error(`${name} goes by ${delivery.via}`);
  return delivery as Extract<Delivery, { via: V }>;
}

/** Everything but the text itself, which is the last argument of `notify-send`. */
function outerParts(delivery: Delivery): readonly unknown[] {
  switch (delivery.via) {
    case 'http':
      return [delivery.url, delivery.headers];
    case 'shell':
      return [delivery.line, delivery.env];
    case 'program':
      return [delivery.file, delivery.args.filter((_, at) => delivery.file !== 'notify-send' || at < 4), delivery.stdin.split('\n\n')[0]];
    case 'nothing':
      return [];
  }
}

const bodyOf = (name: ChannelName) => JSON.parse(via(name, 'http').body);

describe.each(CHANNEL_NAMES)('the channel %s', (name) => {
  it('has a schema that its options fit', () => {
    const named = Object.fromEntries(Object.entries(OPTIONS[name]).map(([key, value]) => [key, CHANNELS[name].secrets.includes(key) ? 'env:NAME' : value]));
    expect(z.strictObject(CHANNELS[name].fields).parse(named)).toEqual(named);
  });

  it('sends a short message, whatever an agent printed', () => {
    expect(JSON.stringify(sent(name)).length).toBeLessThan(8_000);
  });

  it('has nothing of an agent in a command, an address, a header or a variable', () => {
    expect(JSON.stringify(outerParts(sent(name)))).not.toMatch(/evil|pwned|channel>|xxxx/);
  });
});

describe('a notification', () => {
  it('on Linux has no markup, and options end before its texts', () => {
    const { args } = via('desktop', 'program');
    expect(args.slice(0, 3)).toEqual(['--app-name=ralph', '--urgency=critical', '--']);
    expect(args.at(-1)).toContain('&lt;b&gt;bold&lt;/b&gt;');
    expect(args.at(-1)).not.toMatch(/[<>]/);
  });

  it('on macOS is an argument of a script that is always the same', () => {
    const { file, args } = via('desktop', 'program', 'darwin');
    expect(file).toBe('osascript');
    expect(args.slice(0, 6).join(' ')).not.toMatch(/shop|touch/);
    expect(args).toHaveLength(8);
  });

  it('in Slack has the texts of agents only where Slack looks for no mentions', () => {
    const { text, blocks } = bodyOf('slack');
    expect(text).toBe('Ralph (work) in shop needs you');
    expect(blocks.map((block: { text: { type: string } }) => block.text.type)).toEqual(['plain_text', 'plain_text']);
    expect(blocks[1].text.text).toContain('<!channel>');
    expect(blocks[1].text.text.length).toBeLessThanOrEqual(3000);
  });

  it('in Telegram has all texts of agents in one preformatted part, where Telegram looks for no mentions', () => {
    const { text, entities, chat_id } = bodyOf('telegram');
    expect(chat_id).toBe('-100');
    expect(entities).toHaveLength(1);
    expect(text.slice(0, entities[0].offset)).toBe('Ralph (work) in shop needs you\n');
    expect(entities[0].offset + entities[0].length).toBe(text.length);
    expect(text.length).toBeLessThanOrEqual(4096);
  });

  it('by e-mail has its recipients as arguments, and no header but its own', () => {
    const { args, stdin } = via('email', 'program');
    expect(args).toEqual(['-i', '-f', 'ralph@example.org', '--', 'a@example.org', 'b@example.org']);
    const head = stdin.slice(0, stdin.indexOf('\n\n'));
    expect(head.split('\n').map((line) => line.split(':')[0])).toEqual([
      'From',
      'To',
      'Subject',
      'X-Ralph-Id',
      'Auto-Submitted',
      'MIME-Version',
      'Content-Type',
      'Content-Transfer-Encoding',
    ]);
    expect(Math.max(...stdin.split('\n').map((line) => line.length))).toBeLessThanOrEqual(200);
  });

  it('by e-mail has an ASCII subject, also for a project with another name', () => {
    const message = { ...hostile(), title: 'Ralph (run) in größe=?x?= is done' };
    const delivery = sent('email', message);
    const head = delivery.via === 'program' ? delivery.stdin.slice(0, delivery.stdin.indexOf('\n\n')) : '';
    expect(head).toMatch(/^[ -~\n]*$/);
    expect(head).toContain('=C3=B6');
    for (const word of head.match(/=\?utf-8\?Q\?.*?\?=/g) ?? []) expect(word.length).toBeLessThanOrEqual(75);
  });

  it('is one JSON object for commands and webhooks', () => {
    const { lines, ...rest } = bodyOf('webhook');
    expect(rest).toEqual({
      ...{ version: 1, id: 'r-1:7', at: 1, run_id: 'r-1', recipe: 'work', project: 'shop' },
      ...{ events: ['needs_you'], title: 'Ralph (work) in shop needs you', more: 0 },
    });
    expect(lines).toHaveLength(HOSTILE.length + 1);
    expect(JSON.parse(via('command', 'shell').stdin)).toEqual(bodyOf('webhook'));
  });
});

describe('an option that names a secret', () => {
  const parse = (name: ChannelName, options: unknown) => z.strictObject(CHANNELS[name].fields).safeParse(options, { jitless: true });

  it.each<[ChannelName, Readonly<Record<string, unknown>>]>([
    ['slack', { url: 'https://hooks.slack.com/services/T0/B0/s3cr3t' }],
    ['telegram', { token: '12:s3cr3t', chat: '1' }],
    ['webhook', { url: 'https://me:s3cr3t@example.org' }],
    ['webhook', { url: 'https://example.org/?key=s3cr3t' }],
    ['webhook', { url: 'https://example.org', secret: 's3cr3t' }],
    ['ntfy', { topic: 'a b s3cr3t' }],
  ])('of %s refuses the secret itself, and does not repeat it', (name, options) => {
    const problem = parse(name, options).error?.issues[0]?.message ?? '';
    expect(problem).toContain('env:NAME');
    expect(problem).not.toContain('s3cr3t');
  });

  it('of an e-mail address refuses what sendmail would take for an option', () => {
    expect(parse('email', { to: ['-oQ/tmp@x'] }).success).toBe(false);
  });
});
