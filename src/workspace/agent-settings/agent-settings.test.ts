import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage, type WorkspaceKind } from '../../../test/support/isolated-stage.ts';

const kinds: readonly WorkspaceKind[] = bubblewrapIsMissing() ? ['copy'] : ['isolated', 'copy'];
const agent = { who: 'agent' } as const;
const gate = { who: 'gate' } as const;
const SHOW = 'cat .claude/settings.json .mcp.json 2>/dev/null; ls .claude/hooks 2>/dev/null; true';
const PLANT = 'mkdir -p .claude/hooks; echo planted > .claude/settings.json; echo planted > .mcp.json; echo planted > .claude/hooks/start.sh';

describe.each(kinds)('what agents obey in a workspace of the kind %s', (kind) => {
  it('is what the operator had at the start, whatever the agent before has planted; gates and the operator see that', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.repo.write('.claude/settings.json', 'of the operator\n');
    await stage.inside(PLANT, agent);
    expect((await stage.inside(SHOW, agent)).said).toBe('of the operator\n');
    expect((await stage.inside(SHOW, gate)).said).toBe('planted\nplanted\nstart.sh\n');
    expect(readFileSync(join(stage.root, '.claude/settings.json'), 'utf8')).toBe('planted\n');
    expect(readFileSync(join(stage.root, '.claude/hooks/start.sh'), 'utf8')).toBe('planted\n');
    expect(stage.told).toEqual([]);
  });

  it('is so also for a file that git ignores, and for a link in place of the folder', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.repo.write('.gitignore', '.claude/settings.json\n');
    await stage.inside('mkdir .claude; echo planted > .claude/settings.json', agent);
    expect((await stage.inside(SHOW, agent)).said).toBe('');
    await stage.inside('rm -rf .claude; mkdir elsewhere; echo planted > elsewhere/settings.json; ln -s elsewhere .claude', agent);
    expect((await stage.inside(SHOW, agent)).said).toBe('');
    expect((await stage.inside(SHOW, gate)).said).toBe('planted\n');
    expect(lstatSync(join(stage.root, '.claude')).isSymbolicLink()).toBe(true);
  });

  it('may be changed again by a later agent, and removed: that lands', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.repo.write('.claude/settings.json', 'of the operator\n');
    await stage.inside(PLANT, agent);
    await stage.inside('echo second > .claude/settings.json', agent);
    expect(readFileSync(join(stage.root, '.claude/settings.json'), 'utf8')).toBe('second\n');
    await stage.inside('rm -r .claude', agent);
    expect(existsSync(join(stage.root, '.claude/settings.json'))).toBe(false);
    expect((await stage.inside(SHOW, agent)).said).toBe('of the operator\n');
    expect(existsSync(join(stage.root, '.claude/settings.json'))).toBe(false);
  });

  it('stays that of the start when the run goes on after a kill', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.inside(PLANT, agent);
    const call = { ...agent, file: 'true', args: [], cwd: stage.root, env: { PATH: process.env['PATH'] ?? '' } };
    await stage.wall.enclose(call);
    const again = await stage.open();
    expect(readFileSync(join(stage.root, '.claude/settings.json'), 'utf8')).toBe('planted\n');
    expect((await again.inside(SHOW, agent)).said).toBe('');
    expect(readFileSync(join(stage.root, '.mcp.json'), 'utf8')).toBe('planted\n');
    await rm(join(stage.root, '.mcp.json'));
    expect((await again.inside(SHOW, agent)).said).toBe('');
  });
});
