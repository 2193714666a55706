import { describe, expect, it } from 'vitest';
import { DOCKER_SANDBOX, SBX } from './docker-grammar.ts';
import { isNameOf, sandboxName } from './find-docker.ts';

describe('the name of a Docker sandbox', () => {
  it('is made from the path of the project, as in the seed', () => {
    expect(sandboxName(DOCKER_SANDBOX, '/Users/me/my project.v2')).toBe('ralph-_Users_me_my_project.v2');
  });

  it('has no underscore in sbx, which refuses them', () => {
    expect(sandboxName(SBX, '/Users/me/my_project')).toBe('ralph--Users-me-my-project');
  });

  it('names the template unless it is that of claude', () => {
    expect(sandboxName(SBX, '/p', 'codex')).toBe('ralph-codex--p');
    expect(isNameOf(SBX, '/p', 'ralph-codex--p')).toBe(true);
    expect(isNameOf(SBX, '/q', 'ralph-codex--p')).toBe(false);
  });

  it('is never longer than 63 characters, and differs for another path', () => {
    const deep = `/home/me/${'folder/'.repeat(20)}`;
    const names = [sandboxName(SBX, `${deep}a`), sandboxName(SBX, `${deep}b`)];
    expect(names.map((name) => name.length)).toEqual([63, 63]);
    expect(new Set(names).size).toBe(2);
    expect(names[0]).toMatch(/^ralph--home-me-folder-[a-z-]+-[0-9a-f]{12}$/);
  });
});
