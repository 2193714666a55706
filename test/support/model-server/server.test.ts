import { describe, expect, it } from 'vitest';
import { always, perSession, type Scenario } from './scenario.ts';
import { openModelServer } from './server.ts';
import { apiError, call, callAll, hang, run, say, slow, usageLimit } from './turns.ts';

const resetsAtMs = Date.UTC(2040, 0, 2, 3, 4);

/** What claude sends, cut down to what this server reads. */
function ask(url: string, { prompt = 'Go on.', session = 'one', tools = ['Bash', 'Write'], stream = false } = {}) {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-claude-code-session-id': session },
    body: JSON.stringify({
      model: 'claude-test',
      stream,
      system: 'Be good.',
      messages: [
        { role: 'user', content: 'First.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'red' }] }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: prompt },
            { type: 'text', text: '<system-reminder>date</system-reminder>' },
          ],
        },
      ],
      tools: tools.map((name) => ({ name })),
    }),
  });
}

/** What codex sends, cut down likewise. */
function askAsCodex(url: string) {
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'session-id': 'one' },
    body: JSON.stringify({
      model: 'gpt-test',
      stream: true,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>here</environment_context>' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
        { type: 'function_call', call_id: 'c1', name: 'exec_command', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'red' },
      ],
      tools: [{ type: 'function', name: 'exec_command' }, { type: 'web_search' }],
    }),
  });
}

async function textsOf(scenario: Scenario, sessions: readonly string[]) {
  await using server = await openModelServer(scenario);
  const bodies: string[] = [];
  for (const session of sessions) bodies.push(await (await ask(server.url, { session })).text());
  return bodies;
}

describe('the scripted model server', () => {
  it('gives each request the next turn and records the request', async () => {
    await using server = await openModelServer([run('echo hi', 'Let me see.'), say('Done.')]);

    expect(await (await ask(server.url)).json()).toMatchObject({
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } },
      ],
      stop_reason: 'tool_use',
    });
    expect(await (await ask(server.url)).json()).toMatchObject({ content: [{ text: 'Done.' }], stop_reason: 'end_turn' });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]).toMatchObject({
      agent: 'claude',
      path: '/v1/messages',
      model: 'claude-test',
      session: 'one',
      prompt: 'Go on.',
      toolResults: ['red'],
      tools: ['Bash', 'Write'],
    });
    expect(server.requests[0]?.transcript).toContain('Be good.');
  });

  it('streams when it is asked to', async () => {
    await using server = await openModelServer([say('Done.')]);

    const stream = await (await ask(server.url, { stream: true })).text();

    expect([...stream.matchAll(/^event: (.+)$/gm)].map((match) => match[1])).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('speaks to codex in its own dialect', async () => {
    await using server = await openModelServer([run('echo hi')]);

    const stream = await (await askAsCodex(server.url)).text();

    expect(stream).toContain('"name":"exec_command","arguments":"{\\"cmd\\":\\"echo hi\\"');
    expect(server.requests[0]).toMatchObject({
      agent: 'codex',
      model: 'gpt-test',
      prompt: 'Go on.',
      toolResults: ['red'],
      tools: ['exec_command', 'web_search'],
    });
  });

  it('calls several tools at once, and tools by name', async () => {
    await using server = await openModelServer([
      callAll([
        { kind: 'shell', command: 'a' },
        { kind: 'shell', command: 'b' },
      ]),
      call('Write', { file_path: 'x' }),
    ]);

    expect(await (await ask(server.url)).json()).toMatchObject({ content: [{ input: { command: 'a' } }, { input: { command: 'b' } }] });
    expect(await (await ask(server.url)).json()).toMatchObject({ content: [{ name: 'Write', input: { file_path: 'x' } }] });
  });

  it('plays one scenario per session, in any order of requests', async () => {
    const [first, second, firstAgain, third] = await textsOf(perSession([say('A1'), say('A2')], always(say('B'))), ['a', 'b', 'a', 'c']);

    expect([first, second, firstAgain]).toEqual([expect.stringContaining('A1'), expect.stringContaining('"B"'), expect.stringContaining('A2')]);
    expect(third).toContain('the scenario has 2 sessions, claude began one more');
  });

  it('refuses a request that the script does not expect', async () => {
    const [, tooMany] = await textsOf([say('Done.')], ['a', 'a']);
    const [notOffered] = await textsOf([call('Nope', {})], ['a']);

    expect(tooMany).toContain('the scenario has 1 turns, claude asked for one more');
    expect(notOffered).toContain('the scenario calls Nope, but claude offers only Bash, Write');
  });

  it('answers side requests of the client without using a turn', async () => {
    await using server = await openModelServer([say('Done.')]);

    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(`${server.url}/v1/messages/count_tokens`, { method: 'POST' })).json()).toEqual({ input_tokens: expect.any(Number) });
    expect((await ask(server.url, { tools: [], prompt: 'Write a title.' })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
    expect(server).toMatchObject({ requests: [], errands: [{ prompt: 'Write a title.' }], strays: ['GET /v1/models'] });
  });

  it('returns errors like the provider', async () => {
    await using server = await openModelServer([apiError(529, { 'retry-after': '7' }), usageLimit(resetsAtMs), usageLimit(resetsAtMs)]);

    const overloaded = await ask(server.url);
    expect([overloaded.status, overloaded.headers.get('retry-after')]).toEqual([529, '7']);
    expect(await overloaded.json()).toMatchObject({ error: { type: 'overloaded_error' } });
    expect((await ask(server.url)).headers.get('anthropic-ratelimit-unified-reset')).toBe(String(resetsAtMs / 1000));
    expect(await (await askAsCodex(server.url)).json()).toMatchObject({ error: { type: 'usage_limit_reached', resets_at: resetsAtMs / 1000 } });
  });

  it('leaves a request without an answer until it closes', async () => {
    const server = await openModelServer([hang, slow(3_600_000, say('Late.'))]);
    const answers = Promise.allSettled([ask(server.url), ask(server.url)]);
    await server.waitForRequest(2);

    await server[Symbol.asyncDispose]();

    expect((await answers).map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
  });

  it('names a missing request', async () => {
    await using server = await openModelServer([say('Done.')]);

    await expect(server.waitForRequest(1, 20)).rejects.toThrow('request 1 did not come within 20 ms; 0 came');
  });
});
