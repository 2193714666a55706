import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

describe.concurrent('ralph config', () => {
  it('shows every setting and where it comes from, without any file and without writing one', async () => {
    await using place = await openPlace();
    const before = place.everything();
    const { code, stdout, stderr } = await place.ralph(['config', 'show']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^agent\.command +default +not set$/m);
    expect(stdout).toMatch(/^maximumIterations +default +10$/m);
    expect((await place.ralph(['config'])).stdout).toBe(stdout);
    expect(place.everything()).toEqual(before);
  });

  it('shows the source files, also as JSON, without secrets', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', JSON.stringify({ agent: { command: 'claude', flags: ['--api-key', 'hunter2'] }, maximumIterations: 5 }));
    await place.write('.ralph/settings.local.json', JSON.stringify({ maximumIterations: 7 }));
    const { code, stdout, stderr } = await place.ralph(['config', 'show', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { agent: { command: 'claude', flags: ['--api-key', '[redacted]'], model: null }, maximumIterations: 7, scm: null },
      sources: { 'agent.command': '.ralph/settings.json', 'agent.model': 'default', maximumIterations: '.ralph/settings.local.json', scm: 'default' },
    });
  });

  it.each([['show'], ['show', '--json']])('%s %s says in one line what is wrong with a file', async (...args) => {
    await using place = await openPlace();
    await place.write('.ralph/settings.local.json', '{"maximumIterations": 0}');
    expect(await place.ralph(['config', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: [
        'error: failed to load settings: .ralph/settings.local.json: maximumIterations must be a positive integer, got 0',
        'hint: ralph config schema describes every setting.',
        '',
      ].join('\n'),
    });
  });

  it('prints the schema for editors, even with invalid files', async () => {
    await using place = await openPlace();
    await place.write('.ralph/settings.json', 'broken');
    const { code, stdout } = await place.ralph(['config', 'schema']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', properties: { maximumIterations: { default: 10 } } });
  });

  it('refuses invalid settings', async () => {
    await using place = await openPlace();
    expect(await place.ralph(['config', 'shwo'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*Allowed choices are show, schema\.\nhint: /),
    });
  });
});
