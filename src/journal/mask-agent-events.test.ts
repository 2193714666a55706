import { describe, expect, it } from 'vitest';
import { openSecretHider } from '../kit/pure/hide-secrets.ts';
import { maskAgentEvent, openAgentEventMask } from './mask-agent-events.ts';
import type { AgentEvent } from './words/agent-event.ts';

const SECRET = 'hunter2-correct-horse';
/** Assembled here, so that secret scanners do not report it. */
const KEY = ['sk', 'ant', 'api03', 'a1B2c3D4e5F6g7H8i9J0'].join('-');
const hide = openSecretHider([SECRET]);

describe('an event of an agent', () => {
  const events: readonly AgentEvent[] = [
    { type: 'message', text: `it is ${SECRET}` },
    { type: 'reasoning', text: `maybe ${KEY}` },
    { type: 'note', text: SECRET },
    { type: 'raw', line: SECRET },
    {
      type: 'tool.started',
      id: 'a',
      name: 'Bash',
      input: { command: `curl -u me:${SECRET}`, env: { API_KEY: KEY, list: [[SECRET]] }, argv: ['--token', 'abc'] },
    },
    { type: 'tool.finished', id: 'a', ok: true, output: `{"a":"${KEY}\\n"}` },
    { type: 'todo', items: [{ id: '1', text: SECRET, status: 'pending' }] },
    { type: 'subagent.started', id: 's', kind: 'agent', description: SECRET },
    { type: 'error', kind: 'other', message: `Authorization: Bearer ${KEY}` },
    { type: 'turn.finished', ok: true, text: SECRET, reason: KEY },
  ];

  it.each(events.map((event) => [event.type, event] as const))('of type %s contains no secret after masking', (_, event) => {
    const masked = JSON.stringify(maskAgentEvent(hide, event));
    for (const secret of [SECRET, KEY.slice(8), '"abc"']) expect(masked).not.toContain(secret);
    expect(masked).toContain('[redacted]');
  });

  it('contains no secret in a field whose name says that it is one', () => {
    const event: AgentEvent = { type: 'tool.started', id: 'a', name: 'Login', input: { user: 'ann', password: 'correct7horse', path: '/a/b' } };
    expect(maskAgentEvent(hide, event)).toEqual({ ...event, input: { user: 'ann', password: '[redacted]', path: '/a/b' } });
  });

  it('may be nested as deep as it likes', () => {
    let input: unknown = SECRET;
    for (let depth = 0; depth < 50_000; depth += 1) input = [{ input }];
    expect(JSON.stringify(maskAgentEvent(hide, { type: 'tool.started', id: 'a', name: 'x', input }))).not.toContain(SECRET);
  });
});

describe('agent output in pieces', () => {
  const told = (...texts: readonly string[]) => {
    const mask = openAgentEventMask(hide);
    return texts.map((text) => mask({ type: 'message', text })).map((event) => (event.type === 'message' ? event.text : ''));
  };

  it('contains no secret that begins in one piece and ends in the next', () => {
    expect(told('it is hunter2-corr', 'ect-horse, I think')).toEqual(['it is [redacted]', '[redacted] I think']);
    expect(told(`with ${KEY.slice(0, 24)}`, `${KEY.slice(24)} it works`)).toEqual(['with [redacted]', '[redacted] it works']);
    expect(told('--token', ' abc and more')).toEqual(['--token', '[redacted] and more']);
  });

  it('never shows more than a few letters of a secret, however small the pieces', () => {
    const shown = told(...`so hunter2-correct-horse it is`).join('');
    expect(shown.replaceAll('[redacted]', '')).toMatch(/^so hunter2.{0,1}( |,)*it is$/);
  });

  it('contains no private key, printed line by line', () => {
    expect(told('-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQC7', '-----END PRIVATE KEY-----', 'There.')).toEqual([
      '-----BEGIN PRIVATE KEY-----',
      '[redacted]',
      '',
      '-----END PRIVATE KEY-----',
      'There.',
    ]);
  });

  it('is otherwise unchanged', () => {
    const texts = ['First, I look.', '', 'token', ' = read()', '\n', '🙂'];
    expect(told(...texts)).toEqual(texts);
  });
});
