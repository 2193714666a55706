import { packagePath } from './package-root.ts';

/** The single-file entry of the hooks. */
export const HOOK_ENTRY = packagePath('dist', 'cli', 'hook.cjs');
