import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../program.ts';
import { expandBareSandboxFlag } from './expand-bare-sandbox-flag.ts';
import { settingsFromFlags } from './settings-from-flags.ts';

const commands = await loadCommands();

const rewritten = (...argv: readonly string[]) => expandBareSandboxFlag(buildProgram(commands), argv);

describe('a bare --sandbox', () => {
  it('means docker and never takes the next word as its value', () => {
    expect(rewritten('loop', '--sandbox', 'make it green')).toEqual(['loop', '--sandbox=docker', 'make it green']);
    expect(rewritten('loop', 'make it green', '--sandbox')).toEqual(['loop', 'make it green', '--sandbox=docker']);
    expect(rewritten('work', '--sandbox', '--workers', '2')).toEqual(['work', '--sandbox=docker', '--workers', '2']);
  });

  it('is not rewritten if it is the value of another flag or part of a command after --', () => {
    expect(rewritten('run', '-p', '--sandbox')).toEqual(['run', '-p', '--sandbox']);
    expect(rewritten('supervise', '--', 'codex', '--sandbox', 'read-only')).toEqual(['supervise', '--', 'codex', '--sandbox', 'read-only']);
  });

  it('with = and a mode is not rewritten', () => {
    expect(rewritten('run', '--sandbox=os')).toEqual(['run', '--sandbox=os']);
  });
});

describe('the flags of a sandbox', () => {
  it.each([
    [{}, {}],
    [{ sandbox: 'os' }, { sandbox: { mode: 'os' } }],
    [{ sandbox: false }, { sandbox: { mode: 'guard' } }],
    [{ sandbox: true }, { sandbox: { mode: 'docker' } }],
    [
      { allowHost: ['a.example'], protect: ['test/**'] },
      { sandbox: { allowHosts: ['a.example'] }, protect: ['test/**'] },
    ],
  ])('%j become settings', (flags, settings) => {
    expect(settingsFromFlags('supervise', flags)).toEqual(settings);
  });

  it('refuse an unknown mode', () => {
    expect(() => settingsFromFlags('run', { sandbox: 'chroot' })).toThrow('sandbox.mode must be one of auto, docker, os, guard, got "chroot" (from --sandbox)');
  });
});
