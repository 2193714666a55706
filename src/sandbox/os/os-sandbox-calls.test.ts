import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { skipLoudly } from '../../../test/support/skip-loudly.ts';
import { stdioFor, writeExtraInput } from '../../process/extra-streams.ts';
import { syscallFilter } from './syscall-filter.ts';

const noSecondSet = skipLoudly(process.arch === 'x64' ? null : `a second set of numbers: ${process.arch} has none`, 'skip');
const noFilter = skipLoudly(syscallFilter(process.arch) === null ? `no filter for ${process.arch}` : null, 'skip');

/** The numbers of the system calls on this machine. */
const CALLS = process.arch === 'x64' ? { add_key: 248, request_key: 249, keyctl: 250 } : { add_key: 217, request_key: 218, keyctl: 219 };
const X32 = 0x4000_0000;

/** Runs a command in a session that has its own keyring with a key in it. */
const IN_A_SESSION = `my ($type, $name, $key) = ("user", "token", "the-secret");
  syscall(${CALLS.keyctl}, 1, 0, 0, 0, 0) > 0 or die "no keyring: $!";
  syscall(${CALLS.add_key}, $type, $name, $key, length $key, -3) > 0 or die "no key: $!";
  exec @ARGV;`;

/** Looks for the key in the session, and prints it. */
const READ_THE_KEY = `my ($type, $name, $read) = ("user", "token", "\\0" x 64);
  my $id = syscall(${CALLS.keyctl}, 10, -3, $type, $name, 0); print "search: $!\\n" if $id < 0;
  syscall(${CALLS.keyctl}, 11, $id, $read, 64, 0); print $read;`;

/** The output of a command line that is started in such a session. */
async function inASession(enclosed: Awaited<ReturnType<SandboxStage['wall']['enclose']>>): Promise<string> {
  const { file, args, env, cwd } = enclosed;
  const child = spawn('perl', ['-e', IN_A_SESSION, file, ...args], { cwd, env, stdio: stdioFor(enclosed) }) as ChildProcessWithoutNullStreams;
  writeExtraInput(child, enclosed);
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
}

describe.skipIf(bubblewrapIsMissing() || noFilter)('system calls in the os sandbox', () => {
  it('cannot read the keyring of the session', async () => {
    await using stage = await openSandboxStage();
    const call = { who: 'agent' as const, file: 'perl', args: ['-e', READ_THE_KEY], cwd: stage.repo.path, env: { PATH: process.env['PATH'] ?? '' } };
    const enclosed = await stage.wall.enclose(call);
    const { extraInput: _, ...open } = {
      ...enclosed,
      args: enclosed.args.filter((word, at) => word !== '--seccomp' && enclosed.args[at - 1] !== '--seccomp'),
    };
    expect(await inASession(open)).toContain('the-secret');
    expect(await inASession(enclosed)).toBe(`search: Operation not permitted\n${'\0'.repeat(64)}`);
  });

  it.each([
    ['add_key', CALLS.add_key],
    ['request_key', CALLS.request_key],
    ['keyctl', CALLS.keyctl],
    ['pidfd_getfd', 438],
  ])('are refused: %s', async (_name, number) => {
    await using stage = await openSandboxStage();
    const script = `perl -e 'syscall(${number}, -1, 0, 0, 0, 0); print $!'`;
    expect((await stage.inside(script)).said).toBe('Operation not permitted');
    expect((await stage.outside(script)).said).not.toBe('Operation not permitted');
  });

  it.skipIf(noSecondSet)('are refused with the second set of numbers', async () => {
    await using stage = await openSandboxStage();
    expect((await stage.inside(`perl -e 'syscall(${X32 + 39}); print $!'`)).said).toBe('Operation not permitted');
  });

  it('are allowed for a debugger', async () => {
    await using stage = await openSandboxStage();
    // PTRACE_TRACEME, in the process itself.
    const traceMe = process.arch === 'x64' ? 101 : 117;
    expect((await stage.inside(`perl -e 'print syscall(${traceMe}, 0, 0, 0, 0)'`)).said).toBe('0');
  });
});
