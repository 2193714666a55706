import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { until } from '../../../test/support/until.ts';

/** Has its verdict in memory for a while, as a reviewer has that reads, and says it at the end. */
const REVIEWER = `$| = 1; my $verdict = join '', 'REJ', 'ECT'; for (1 .. 600) { last if -e $ARGV[1]; select undef, undef, undef, 0.05 } print "$verdict\\n"`;

/** What code that an implementer has left running can try: it looks for the reviewer, and for its output, its memory and its open files. */
const ATTACK = `my $mark = reverse $ARGV[0];
for my $dir (glob '/proc/[0-9]*') {
  my $pid = $dir =~ s{/proc/}{}r;
  open(my $line, '<', "$dir/cmdline") or next;
  next unless (<$line> // '') =~ /$mark/;
  print "found\\n";
  if (open(my $out, '>', "$dir/fd/1")) { print $out "APPROVE by fd\\n" }
  my $pidfd = syscall(434, $pid + 0, 0);
  my $fd = $pidfd < 0 ? -1 : syscall(438, $pidfd, 1, 0);
  if ($fd >= 0 && open(my $out, '>&=', $fd)) { print $out "APPROVE by pidfd\\n" }
  open(my $maps, '<', "$dir/maps") or next;
  open(my $mem, '+<', "$dir/mem") or next;
  for (grep { /\\[heap\\]/ } <$maps>) {
    my ($from, $to) = map { hex } /^(\\w+)-(\\w+)/;
    sysseek($mem, $from, 0) && sysread($mem, my $heap, $to - $from) or next;
    while ($heap =~ /REJECT/g) { sysseek($mem, $from + $-[0], 0); syswrite($mem, 'FORGED') }
  }
}`;

/** What a reviewer has said in the end while the attack ran beside it. */
async function reviewed(stage: SandboxStage, how: 'inside' | 'outside'): Promise<{ readonly said: string; readonly found: boolean }> {
  const mark = `reviewer-${randomUUID()}`;
  const go = join(stage.repo.path, `go-${mark}`);
  const [reviewer, attack] = [join(stage.repo.path, 'reviewer.pl'), join(stage.repo.path, 'attack.pl')];
  await writeFile(reviewer, REVIEWER);
  await writeFile(attack, ATTACK);
  // Nobody can open the socket that Node gives a process as its output, but a pipe.
  const reviewing = stage[how](`perl ${reviewer} ${mark} ${go} | cat`, { judges: true });
  await until('the reviewer is at work', () => isRunning(`perl\0${reviewer}\0${mark}`));
  const { said } = await stage[how](`exec perl ${attack} ${[...mark].toReversed().join('')}`);
  await writeFile(go, '');
  return { said: (await reviewing).said, found: said.includes('found') };
}

/** By the beginning of its command line. */
function isRunning(line: string): boolean {
  return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(line));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** Others of the same user may look into a process only if the kernel is told so. */
function canTrace(): boolean {
  try {
    return process.getuid?.() === 0 || readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true;
  }
}

describe.skipIf(bubblewrapIsMissing())('the verdict of a reviewer', () => {
  it('is forged outside by its output, its open files and its memory, and inside by none of them', async () => {
    await using stage = await openSandboxStage();
    const naive = await reviewed(stage, 'outside');
    expect(naive.found).toBe(true);
    expect(naive.said).toContain('APPROVE by fd');
    if (canTrace()) expect(naive.said.split('\n')).toEqual(expect.arrayContaining(['APPROVE by pidfd', 'FORGED']));
    expect(await reviewed(stage, 'inside')).toEqual({ said: 'REJECT\n', found: false });
  });
});
