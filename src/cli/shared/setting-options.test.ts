import { describe, expect, it } from 'vitest';
import { flagsOfCommand, longNameIn } from '../../settings/schema/rows/all-rows.ts';
import { EVERY_COMMAND } from '../../settings/schema/rows/setting-row.ts';
import { buildProgram, loadCommands } from '../program.ts';
import { settingsFromFlags } from './settings-from-flags.ts';

const commands = await loadCommands();
const commandNamed = (name: string) => buildProgram(commands).commands.find((command) => command.name() === name);

describe('the flags of the settings', () => {
  it.each(EVERY_COMMAND)('are options of ralph %s, each in a group and with a help', (name) => {
    const options = commandNamed(name)?.options ?? [];
    for (const { flag } of flagsOfCommand(name)) {
      const option = options.find(({ long }) => long === longNameIn(flag.spelling));
      expect(option?.flags, flag.spelling).toBe(flag.spelling);
      expect(option?.description).not.toBe('');
      expect(option?.helpGroupHeading, flag.spelling).toMatch(/:$/);
    }
  });

  it('show the default and what 0 means', () => {
    const help = (name: string, long: string) => commandNamed(name)?.options.find((option) => option.long === long)?.description;
    expect(help('run', '--idle-timeout')).toBe('stop an agent after this long without output (20m, 0 = never)');
    expect(help('loop', '--max-cost')).toBe('maximum cost in US dollars (no limit)');
    expect(help('loop', '--baseline')).toMatch(/\(default\)$/);
    expect(help('run', '--no-preflight')).toBe('start without the checks of ralph doctor');
  });

  it('refuse two names of the same flag', () => {
    const run = (...args: readonly string[]) => {
      const program = buildProgram(commands);
      program.commands.find((command) => command.name() === 'run')?.action(() => undefined);
      program.parse(['run', ...args], { from: 'user' });
    };
    expect(() => run('--agent', 'a', '--tool', 'b')).toThrow("option '--tool <command>' cannot be used with option '--agent <command>'");
    expect(() => run('--backend', 'a', '--tool', 'b')).toThrow("option '--backend <command>' cannot be used with option '--tool <command>'");
    expect(() => run('-m', '1', '--max-iterations', '2')).toThrow('cannot be used with');
  });
});

describe('the settings from the flags of a command', () => {
  it('are only those of flags that the command has for settings', () => {
    expect(settingsFromFlags('work', { maxIterations: '3', model: 'opus', preflight: false, story: 'S-1' })).toEqual({
      agent: { model: 'opus' },
      preflight: false,
    });
  });

  it('with a sealed folder have the level sealed, unless another is given', () => {
    expect(settingsFromFlags('run', { sealed: '../s' })).toEqual({ proof: { level: 'sealed', sealed: '../s' } });
    expect(settingsFromFlags('run', { sealed: '../s', proof: 'green' })).toEqual({ proof: { level: 'green', sealed: '../s' } });
  });

  it('are refused by the key and the flag that was typed', () => {
    expect(() => settingsFromFlags('work', { workspace: 'moon' })).toThrow('workspace must be one of isolated, copy, place, got "moon" (from --workspace)');
    expect(() => settingsFromFlags('work', { model: '' })).toThrow('agent.model must not be empty (from -m, --model)');
  });
});
