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

/** Leaves so little space that the merged files do not fit into the operator's checkout. */
const FILLS_UP = `
cat >/dev/null
echo changed >readme.txt; head -c 2000000 /dev/urandom >big.bin; git add -A; git commit -qm work
sed -i "/{id: A,/s/status: [a-z-]*/status: complete/" task-graph.yaml
dd if=/dev/zero of=../../reserve bs=1k count=800 2>/dev/null
dd if=/dev/zero of=../../filler bs=4k 2>/dev/null
rm ../../reserve
echo done
`;

describe.skipIf(bubblewrapIsMissing())('a disk that is full when the branch has to follow', () => {
  it('leaves the checkout as it was, and says how to bring it forward when there is space', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': FILLS_UP, plan: planText(['A']) });
    await disk.tell(`
      mkdir repo; cd repo
      git init -q -b main .; git config user.name t; git config user.email t@example.com
      cp "$beside/plan" task-graph.yaml; echo old >readme.txt; git add -A; git commit -qm plan
      ralph full work ${RUN}
      git status --porcelain >"$beside/status"; cat readme.txt >"$beside/readme"; git ls-files --others --exclude-standard >"$beside/files"
      rm "$disk/filler"
      git merge -q --ff-only refs/ralph/base/main
      ralph next work ${RUN}
      git status --porcelain >"$beside/status-after"; cat readme.txt >"$beside/readme-after"
    `);
    const full = disk.told('full');
    expect(full.stderr).toMatch(
      /main cannot follow in .*: the disk is full: the files need \d+ KiB, and \d+ KiB are free; later: git merge --ff-only refs\/ralph\/base\/main/,
    );
    expect(full.stderr).not.toMatch(/bug in ralph|^ {4}at /m);
    expect([disk.found('status'), disk.found('readme'), disk.found('files')]).toEqual(['', 'old\n', '']);
    expect(disk.told('next').code, disk.told('next').stderr).toBe(0);
    expect([disk.found('status-after'), disk.found('readme-after')]).toEqual(['', 'changed\n']);
  });
});

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
