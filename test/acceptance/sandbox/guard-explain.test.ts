import { describe, expect, it } from 'vitest';
import { openGitPlace } from '../../support/place.ts';

describe('ralph guard explain', () => {
  it('lets a harmless command pass', async () => {
    await using place = await openGitPlace();
    const { code, stdout } = await place.ralph(['guard', 'explain', 'npm test && rm -rf dist']);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'Allowed.' });
  });

  it('lets a doubtful one pass, and says so', async () => {
    await using place = await openGitPlace();
    const { code, stdout } = await place.ralph(['guard', 'explain', 'pkill -f vite']);
    expect(code).toBe(0);
    expect(stdout).toContain('Allowed, with a warning.');
    expect(stdout).toContain('kills-by-name');
  });

  it('blocks a dangerous one, and says why and where', async () => {
    await using place = await openGitPlace();
    const { code, stdout } = await place.ralph(['guard', 'explain', 'echo hi && rm -rf "$HOME"']);
    expect(code).toBe(1);
    expect(stdout).toContain('Blocked.');
    expect(stdout).toContain('1 destructive file operations, removes-more-than-the-project');
  });

  it('takes the command from standard input, and answers as JSON', async () => {
    await using place = await openGitPlace();
    const { code, stdout } = await place.ralph(['guard', 'explain', '-', '--json'], { stdin: 'git push --force\n' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'git push --force\n', level: 'block', findings: [{ category: 10, rule: 'destroys-work-with-git' }] });
  });

  it('needs a command', async () => {
    await using place = await openGitPlace();
    const { code, stderr } = await place.ralph(['guard', 'explain', ' ']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no command to explain');
  });

  it('goes by the lists of the project', async () => {
    await using place = await openGitPlace();
    await place.write('ralph/allowed-commands.txt', '# ours\ngit push --force\n');
    const { code } = await place.ralph(['guard', 'explain', 'git push --force']);
    expect(code).toBe(0);
  });
});
