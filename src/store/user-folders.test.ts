import { isAbsolute } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder, runtimeFolder } from './user-folders.ts';

describe('the folders of the user', () => {
  it('follow the XDG variables', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/var/cache/me' })).toBe('/var/cache/me/ralph');
    expect(runtimeFolder({ XDG_RUNTIME_DIR: '/run/user/5' })).toBe('/run/user/5');
  });

  it.each(['', 'relative', './here'])('are never inside the workspace, even if an XDG variable is %j', (value) => {
    const env = { XDG_CACHE_HOME: value, XDG_RUNTIME_DIR: value, HOME: value };
    for (const folder of [cacheFolder(env), runtimeFolder(env)]) {
      expect(isAbsolute(folder)).toBe(true);
      expect(folder.startsWith(process.cwd())).toBe(false);
    }
  });
});
