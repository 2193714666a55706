import { describe, expect, it } from 'vitest';
import { bubblewrapMounts, isWritable, type MountRule, orderRules } from './mount-plan.ts';

const paths = (rules: readonly MountRule[]) => orderRules(rules).map(({ path, as }) => `${as} ${path}`);

describe('the plan of mounts', () => {
  it('lays the deeper over the shallower, whatever their order', () => {
    expect(
      paths([
        { path: '/home/u/.ssh/project', as: 'writable' },
        { path: '/home/u/.ssh', as: 'hidden', isFolder: true },
        { path: '/home/u', as: 'read-only' },
      ]),
    ).toEqual(['read-only /home/u', 'hidden /home/u/.ssh', 'writable /home/u/.ssh/project']);
  });

  it('has one rule a path: the last that was said', () => {
    expect(
      paths([
        { path: '/a', as: 'hidden', isFolder: true },
        { path: '/a', as: 'read-only' },
      ]),
    ).toEqual(['read-only /a']);
  });

  it('makes a mount point of every folder between what is writable and what is sealed in it', () => {
    expect(
      paths([
        { path: '/p', as: 'writable' },
        { path: '/p/.git/info/attributes', as: 'read-only' },
      ]),
    ).toEqual(['writable /p', 'writable /p/.git', 'writable /p/.git/info', 'read-only /p/.git/info/attributes']);
  });

  it('needs none where nothing can be renamed', () => {
    expect(
      paths([
        { path: '/p/sealed', as: 'read-only' },
        { path: '/p/sealed/a/b/open', as: 'writable' },
        { path: '/tmp', as: 'private' },
        { path: '/tmp/a/b', as: 'read-only' },
      ]),
    ).toEqual(['private /tmp', 'read-only /p/sealed', 'read-only /tmp/a/b', 'writable /p/sealed/a/b/open']);
  });

  it('knows what may be written', () => {
    const rules: readonly MountRule[] = [
      { path: '/p', as: 'writable' },
      { path: '/p/.ralph', as: 'read-only' },
    ];
    expect(isWritable('/p/src/x', rules)).toBe(true);
    expect(isWritable('/p/.ralph/x', rules)).toBe(false);
    expect(isWritable('/pp', rules)).toBe(false);
  });

  it('speaks to bubblewrap', () => {
    expect(
      bubblewrapMounts([
        { path: '/f', as: 'hidden', isFolder: false },
        { path: '/c', as: 'replaced', by: '/private/c' },
      ]),
    ).toEqual(['--dev-bind', '/dev/null', '/f', '--bind', '/private/c', '/c']);
  });
});
