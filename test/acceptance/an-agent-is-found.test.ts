import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAIM, ends, turn } from '../support/claude-script.ts';
import { nameAuthor } from '../support/committing-stage.ts';
import { ralph } from '../support/ralph.ts';
import { openStage } from '../support/stage.ts';
import { planText } from '../support/work-stage.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['run', '-p', 'x', '-n', '1'],
  ['loop', 'x', '--check', 'true', '-n', '1'],
  ['work', '--plan', 'plan.yaml', '--check', 'true', '-n', '1'],
  ['supervise', '-p', 'x', '-n', '1'],
  ['job', '-p', 'x'],
];

const openPlace = () => openStage([turn(...ends(CLAIM))], { gate: null, files: { 'plan.yaml': planText(['a']) } });

describe('without an agent in the settings and on the command line', () => {
  it('every recipe takes the first known one on PATH, and the banner says which and why', async () => {
    await using stage = await openPlace();
    nameAuthor(stage.repo);
    const codex = join(stage.repo.beside, 'bin', 'codex');
    await writeFile(codex, '#!/bin/sh\n');
    await chmod(codex, 0o755);
    for (const command of COMMANDS) {
      const { stderr } = await stage.ralph(...command);
      expect(stderr.replaceAll(/\s+/g, ' '), command.join(' ')).toMatch(/ agent claude .*\(the first of claude, codex.* on PATH, as none is named\) sandbox /);
    }
  });

  it('and with none on PATH every recipe says the same', async () => {
    await using stage = await openPlace();
    const bin = join(stage.repo.beside, 'only-git');
    await mkdir(bin);
    await symlink(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(bin, 'git'));
    const error = 'error: no agent is named, and none of claude, codex, amp, opencode, gemini was found on PATH\nhint: ';
    for (const command of COMMANDS) {
      const { code, stderr } = await ralph(command, { cwd: stage.repo.path, env: { HOME: stage.repo.beside, XDG_RUNTIME_DIR: stage.repo.beside, PATH: bin } });
      expect({ code, stderr }, command.join(' ')).toEqual({ code: 4, stderr: expect.stringContaining(error) });
    }
  });
});
