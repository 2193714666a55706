import { describe, expect, it } from 'vitest';
import { openInitPlace } from '../support/init-place.ts';
import { openPty } from '../support/pty.ts';
import { terminalIsMissing } from '../support/terminal.ts';

describe.skipIf(terminalIsMissing())('ralph without arguments in a terminal', () => {
  it('says what is here and which commands fit, changes nothing, and is no error', async () => {
    await using place = await openInitPlace(['claude']);
    await place.write('package.json', '{"scripts":{"test":"vitest run"}}');
    const before = place.everything();
    await using pty = openPty([], { cwd: place.path, beside: place.beside, env: place.env });

    expect(await pty.exitCode()).toBe(0);
    expect(pty.screen().split('\n')).toEqual(expect.arrayContaining(['  Agent   claude (from PATH)', '  Checks  npm test (from package.json)']));
    expect(pty.screen()).toContain('\n  ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"\n  ralph init\n');
    expect(place.everything().filter((name) => !/pty\.(pid|tty)$/.test(name))).toEqual(before);
  });

  it('is refused as in the seed if its output is not a terminal', async () => {
    await using place = await openInitPlace();
    await using pty = openPty([], { cwd: place.path, beside: place.beside, env: place.env, redirect: '> out' });

    expect(await pty.exitCode()).toBe(2);
    expect(pty.screen()).toContain('error: must specify prompt (--prompt or --prompt-file)\n');
  });
});
