import { describe, expect, it } from 'vitest';
import { parseList } from './docker-commands.ts';

const box = { name: 'box', status: 'running', workspaces: ['/p'] };
const noise = 'Starting sandboxd daemon...\nDaemon started (PID: 55, socket: [x])\nLogs: /l\n';

describe('parseList', () => {
  it.each([
    ['an array', JSON.stringify([{ ...box, id: '1', agent: 'claude' }])],
    ['an object with vms', JSON.stringify({ vms: [{ ...box, socket_path: '/s', sandbox_count: 2 }] })],
    ['an object with sandboxes, on several lines', JSON.stringify({ sandboxes: [box] }, null, 2)],
    ['lines of the daemon first', `${noise}${JSON.stringify({ sandboxes: [box] }, null, 2)}\n`],
    ['both keys, one of them empty', JSON.stringify({ sandboxes: null, vms: [box] })],
  ])('parses %s', (_, text) => {
    expect(parseList(text)).toEqual([box]);
  });

  it('parses the table of docker sandbox', () => {
    const table = [
      'VM ID         NAME       STATUS    WORKSPACE                SANDBOXES',
      'abc123def     claude-vm  running   /home/user/my-project    2',
      'def456ghi     gemini-vm  stopped   /home/user/ml-projects',
    ].join('\n');
    expect(parseList(table)).toEqual([
      { name: 'claude-vm', status: 'running', workspaces: null },
      { name: 'gemini-vm', status: 'stopped', workspaces: null },
    ]);
  });

  it('parses the table of sbx', () => {
    expect(parseList('SANDBOX   AGENT    STATUS    WORKSPACE\nmy-box    claude   stopped   /p\n')).toEqual([
      { name: 'my-box', status: 'stopped', workspaces: null },
    ]);
  });

  it.each(['[]', '{"sandboxes":[]}', '{"vms":null}', 'No sandboxes found\n'])('finds no sandboxes in %s', (text) => {
    expect(parseList(text)).toEqual([]);
  });

  it.each(['', '\n', 'Starting sandboxd daemon...\n', '{"error":', '[1, 2]'])('returns null, not an empty list, for %j', (text) => {
    expect(parseList(text)).toBeNull();
  });
});
