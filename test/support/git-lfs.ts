import { spawnSync } from 'node:child_process';
import { skipLoudly } from './skip-loudly.ts';

export function lfsIsMissing(): boolean {
  const { status } = spawnSync('git', ['lfs', 'version']);
  return skipLoudly(status === 0 ? null : 'git-lfs is not installed');
}
