import { join } from 'node:path';

/** Every source file as its own module, as built by `npm run build`, for processes that a test starts, because Node 20 cannot run TypeScript. */
export const BUILT = join(import.meta.dirname, '../../.cache/inside/src');
