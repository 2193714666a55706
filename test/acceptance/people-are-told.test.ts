import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, openPlace } from '../support/place.ts';

const SECRET = 'hush-4711-xyzzy';

/** Every file below a folder, as one text. */
const textOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

describe.concurrent('a run with a channel', () => {
  it('tells how it ended, and keeps the secrets of its channels from agents, gates and journals', async () => {
    await using place = await openGitPlace();
    const file = join(place.beside, 'told');
    await place.write('agent.sh', 'cat >/dev/null; echo "env: $HOOK_KEY"; echo "DONE <!channel> $(id)"');
    const notify = { command: { run: `cat >> '${file}'` }, webhook: { url: 'env:HOOK_URL', secret: 'env:HOOK_KEY', events: ['proven'] } };
    const settings = { agent: { command: 'sh agent.sh' }, env: { pass: ['HOOK_*'] }, guardrails: [{ command: 'echo "gate: $HOOK_KEY"; false' }], notify };
    await place.write('.ralph/settings.json', JSON.stringify({ ...settings, maximumIterations: 1 }));
    const { code, stdout, stderr } = await place.ralph(['run', '-p', 'x', '--sandbox=guard'], {
      env: { HOOK_KEY: SECRET, HOOK_URL: `http://127.0.0.1:9/${SECRET}` },
    });
    expect(code).toBe(1);
    const told = readFileSync(file, 'utf8');
    expect(JSON.parse(told)).toMatchObject({ events: ['needs_you', 'ended'], title: 'Ralph (run) in place has stopped (max_iterations) and needs you' });
    expect([stdout, stderr, told, textOf(place.path)].join('\n')).not.toContain(SECRET);
  });

  it('starts although a secret is missing, and says so', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', JSON.stringify({ agent: { command: place.agent }, notify: { slack: { url: 'env:NOT_THERE' } } }));
    const { code, stderr } = await place.ralph(['run', '-p', 'x', '--sandbox=guard']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: slack tells nobody: there is no secret at env:NOT_THERE (notify.slack.url)');
  });
});

describe.concurrent('ralph notify', () => {
  it('sends a test message, also from a subfolder, and exits with 1 if none arrived', async () => {
    await using place = await openPlace();
    const file = join(place.beside, 'told');
    await place.write('ralph.yaml', `notify:\n  command:\n    run: "cat >> '${file}'"\n`);
    await place.write('.ralph/settings.local.json', JSON.stringify({ notify: { email: { to: ['a@example.org'], sendmail: '/nowhere/sendmail' } } }));
    await place.write('sub/file', '');
    const { code, stdout } = await place.ralph(['notify', '--test'], { cwd: join(place.path, 'sub') });
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: ['command: sent', expect.stringContaining('email: not sent: /nowhere/sendmail'), ''],
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ title: 'Ralph (notify) in place needs you' });
    const failed = await place.ralph(['notify', '--test', 'email', '--json']);
    expect({ code: failed.code, result: JSON.parse(failed.stdout) }).toMatchObject({ code: 1, result: { channels: [{ channel: 'email', sent: false }] } });
    expect((await place.ralph(['notify'])).stdout).toMatch(/^command {2}needs_you, ended {2}run: cat/);
  });

  it('says in one line that there is no such channel', async () => {
    await using place = await openPlace();
    const { code, stderr } = await place.ralph(['notify', '--test', 'slack']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: the settings have no channel "slack"\nhint: Add one to the group notify in .ralph/settings.json: desktop, command, webhook, slack, telegram, ntfy, email.\n',
    });
  });
});
