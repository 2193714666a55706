import { describe, expect, it } from 'vitest';
import { bubblewrapMounts, isWritable, type MountRule, orderRules } from './mount-plan.ts';

const paths = (rules: readonly MountRule[]) => orderRules(rules).map(({ path, as }) => `${as} ${path}`);

describe('the mount plan', () => {
  it('mounts deeper paths after shallower ones, whatever their order', () => {
    expect(
      paths([
        { path: '/home/u/.ssh/project', as: 'writable' },
        { path: '/home/u/.ssh', as: 'hidden', isFolder: true },
        { path: '/home/u', as: 'read-only' },
      ]),
    ).toEqual(['read-only /home/u', 'hidden /home/u/.ssh', 'writable /home/u/.ssh/project']);
  });

  it('has one rule per path: the last one given', () => {
    expect(
      paths([
        { path: '/a', as: 'hidden', isFolder: true },
        { path: '/a', as: 'read-only' },
      ]),
    ).toEqual(['read-only /a']);
  });

  it('makes a mount point of every folder between a writable one and a sealed one in it', () => {
    expect(
      paths([
        { path: '/p', as: 'writable' },
        { path: '/p/.git/info/attributes', as: 'read-only' },
      ]),
    ).toEqual(['writable /p', 'writable /p/.git', 'writable /p/.git/info', 'read-only /p/.git/info/attributes']);
  });

  it('adds no mount points where nothing can be renamed', () => {
    expect(
      paths([
        { path: '/p/sealed', as: 'read-only' },
        { path: '/p/sealed/a/b/open', as: 'writable' },
        { path: '/tmp', as: 'private' },
        { path: '/tmp/a/b', as: 'read-only' },
      ]),
    ).toEqual(['private /tmp', 'read-only /p/sealed', 'read-only /tmp/a/b', 'writable /p/sealed/a/b/open']);
  });

  it('tells which paths are writable', () => {
    const rules: readonly MountRule[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/.ralph', as: 'read-only' },
    ];
    expect(isWritable('/p/src/x', rules)).toBe(true);
    expect(isWritable('/p/.ralph/x', rules)).toBe(false);
    expect(isWritable('/pp', rules)).toBe(false);
  });

  it('becomes options for bubblewrap', () => {
    expect(
      bubblewrapMounts(
        [
          { path: '/f', as: 'hidden', isFolder: false },
          { path: '/c', as: 'replaced', by: '/private/c' },
        ],
        '/empty',
      ),
    ).toEqual(['--dev-bind', '/dev/null', '/f', '--bind', '/private/c', '/c']);
  });

  it('hides a folder by a path through it, so that bubblewrap skips one that vanishes, and by an empty file system if a path in it is shown', () => {
    const hidden = { path: '/srv/db', as: 'hidden', isFolder: true } as const;
    expect(bubblewrapMounts([hidden], '/empty')).toEqual(['--ro-bind-try', '/srv/db/../../empty', '/srv/db']);
    expect(bubblewrapMounts([hidden, { path: '/srv/db/p', as: 'writable' }], '/empty').slice(0, 4)).toEqual(['--perms', '0555', '--tmpfs', '/srv/db']);
  });

  it('creates a link only in a folder that is empty inside, and leaves out redundant rules', () => {
    expect(
      paths([
        { path: '/home/u', as: 'private' },
        { path: '/home/u/.nvm', as: 'read-only' },
        { path: '/home/u/.nvm/v20/bin', as: 'read-only' },
        { path: '/home/u/.nvm/current', as: 'link', to: 'v20' },
        { path: '/home/u/tools', as: 'link', to: '.nvm' },
        { path: '/srv/tools', as: 'link', to: '/home/u/tools' },
      ]),
    ).toEqual(['private /home/u', 'read-only /home/u/.nvm', 'link /home/u/tools']);
  });
});
