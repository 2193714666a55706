import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { always, type Scenario } from '../support/model-server/scenario.ts';
import { openModelServer } from '../support/model-server/server.ts';
import { apiError, run, say, usageLimit } from '../support/model-server/turns.ts';
import { binFolder, claudeEnv, codexEnv, expectRealAgents } from '../support/real-agents.ts';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const agents = expectRealAgents();
const withinMs = 90_000;
const resetsAtMs = Date.UTC(2040, 0, 2, 3, 4);
const workThenWord: Scenario = [run('echo hello > made.txt && cat made.txt', 'I will make it.'), say('All done.')];

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

const commands = {
  claude: ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
  codex: ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', '-'],
} as const;

/** One agent, alone with a model that follows the scenario, in a folder without git. */
async function speak(name: 'claude' | 'codex', scenario: Scenario, subscriber = false) {
  await using folder = await openThrowAwayFolder();
  await using server = await openModelServer(scenario);
  const world = { url: server.url, home: join(folder.path, 'home'), bin: await binFolder(agents, folder.path) };
  const env = name === 'claude' ? await claudeEnv({ ...world, subscriber }) : await codexEnv(world);
  const { code, stdout } = await runBinary({ file: name, args: commands[name], cwd: folder.path, env, stdin: 'Make a file.', withinMs });
  return {
    code,
    lines: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
    made: await readFile(join(folder.path, 'made.txt'), 'utf8').catch(() => null),
    server,
  };
}

describe.skipIf(agents.missing)('the real claude', () => {
  it('runs the command of the model and ends with its final message', async () => {
    const { code, lines, made, server } = await speak('claude', workThenWord);

    expect(lines.map((line) => line.type)).toEqual(['system', 'assistant', 'assistant', 'user', 'assistant', 'result']);
    expect(lines[0]).toMatchObject({ subtype: 'init', claude_code_version: '2.1.197' });
    expect(lines.at(-1)).toMatchObject({ is_error: false, result: 'All done.' });
    expect(made).toBe('hello\n');
    expect(code).toBe(0);
    expect(server.requests.map((request) => request.prompt)).toEqual(['Make a file.', 'Make a file.']);
    expect(server.requests[1]?.toolResults).toEqual(['hello']);
    expect(server.strays).toEqual([]);
  });

  it('retries a wrong key once, then reports the refusal', async () => {
    const { code, lines, server } = await speak('claude', always(apiError(401)));

    expect(lines).toContainEqual(expect.objectContaining({ subtype: 'api_retry', error_status: 401 }));
    expect(lines).toContainEqual(expect.objectContaining({ type: 'assistant', error: 'authentication_failed' }));
    expect(lines.at(-1)).toMatchObject({ type: 'result', is_error: true });
    expect(code).toBe(1);
    expect(server.requests).toHaveLength(2);
  });

  it('reports to a subscriber when the usage limit resets', async () => {
    const { code, lines, server } = await speak('claude', always(usageLimit(resetsAtMs)), true);

    const limit = { status: 'rejected', resetsAt: resetsAtMs / 1000, rateLimitType: 'five_hour' };
    expect(lines).toContainEqual(expect.objectContaining({ type: 'rate_limit_event', rate_limit_info: expect.objectContaining(limit) }));
    expect(lines.at(-1)).toMatchObject({ type: 'result', is_error: true, api_error_status: 429 });
    expect(code).toBe(1);
    expect(server.requests).toHaveLength(1);
  });
});

describe.skipIf(agents.missing)('the real codex', () => {
  it('runs the command of the model and ends with its final message', async () => {
    const { code, lines, made, server } = await speak('codex', workThenWord);

    const said = lines.map((line) => (line['item'] === undefined ? line.type : `${line.type} ${(line['item'] as Line).type}`));
    expect(said).toEqual([
      'thread.started',
      'turn.started',
      'item.completed agent_message',
      'item.started command_execution',
      'item.completed command_execution',
      'item.completed agent_message',
      'turn.completed',
    ]);
    expect(lines.at(-2)).toMatchObject({ item: { text: 'All done.' } });
    expect(made).toBe('hello\n');
    expect(code).toBe(0);
    expect(server.requests.map((request) => request.prompt)).toEqual(['Make a file.', 'Make a file.']);
    expect(server.requests[1]?.toolResults).toEqual([expect.stringMatching(/exited with code 0[\s\S]*hello/)]);
    expect(server.strays).toEqual([]);
  });

  it('reports as text when the usage limit resets', async () => {
    const { code, lines, server } = await speak('codex', always(usageLimit(resetsAtMs)));

    expect(lines.at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { message: expect.stringMatching(/hit your usage limit.*try again at Jan 2nd, 2040 3:04 AM\.$/) },
    });
    expect(code).toBe(1);
    expect(server.requests).toHaveLength(1);
  });
});
