import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { openSmallDisk } from '../../support/small-disk.ts';
import { planText } from '../../support/work-stage.ts';

const DISK_BYTES = 8_000_000;
const RUN = `--agent "sh $beside/agent.sh" --pause 0s --json`;

/** Fills the disk once, in the worktree of A; its earlier commits stay. */
const AGENT = `
here=$(dirname "$0")
echo "$RALPH_TASK_ID" | tee -a "$here/calls"
cat >/dev/null
echo "by $RALPH_TASK_ID" >"$RALPH_TASK_ID.txt"; git add -A; git commit -qm "work of $RALPH_TASK_ID"
mv "$here/fill" "$here/filled" 2>/dev/null && dd if=/dev/zero of=../../filler bs=4k 2>/dev/null
echo more >>"$RALPH_TASK_ID.more.txt"
sed -i "/{id: $RALPH_TASK_ID,/s/status: [a-z-]*/status: complete/" task-graph.yaml
exit 0
`;

describe.skipIf(bubblewrapIsMissing())('a disk that fills up during a task', () => {
  it('stops the run or fails that task with a clear message; with free space the run continues, and nothing is lost', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, fill: '', plan: planText(['A', 'B']) });
    await disk.tell(`
      mkdir repo; cd repo
      git init -q -b main .; git config user.name t; git config user.email t@example.com
      cp "$beside/plan" task-graph.yaml; git add -A; git commit -qm plan
      ralph full work ${RUN}
      git log --all --format=%s >"$beside/commits"
      rm "$disk/filler"
      ralph mended task reset A
      ralph next work ${RUN}
      ralph again work ${RUN}
      git log --format=%s >"$beside/log"
      git status --porcelain >"$beside/status"
      git worktree list >"$beside/worktrees"
    `);
    const full = disk.told('full');
    expect([1, 4], full.stderr).toContain(full.code);
    expect(full.stderr).toMatch(/ENOSPC|[Nn]o space left|disk is full/);
    expect(full.stderr).not.toMatch(/bug in ralph|^ {4}at |All tasks complete/m);
    expect(disk.found('commits')).toContain('work of A');
    expect(disk.told('next').code, full.stderr + disk.told('next').stderr).toBe(0);
    expect(disk.told('again')).toMatchObject({ code: 0 });
    expect(disk.found('log').match(/^Merge task [AB]:/gm)).toHaveLength(2);
    expect(disk.found('log').match(/^work of A$/gm)).toHaveLength(1);
    expect(disk.found('status')).toBe('');
    expect(disk.found('worktrees').trim().split('\n')).toHaveLength(1);
  });
});
