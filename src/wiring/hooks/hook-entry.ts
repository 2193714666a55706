import { fileURLToPath } from 'node:url';

/** The single-file entry of the hooks. It lies three folders above both src/wiring/hooks and dist/wiring/hooks. */
export const HOOK_ENTRY = fileURLToPath(new URL('../../../dist/cli/hook.cjs', import.meta.url));
