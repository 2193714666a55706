import { join } from 'node:path';

/** Every source file as a module of its own, as `npm run build` makes it: for processes that a test starts, since Node 20 reads no TypeScript. */
export const BUILT = join(import.meta.dirname, '../../.cache/inside/src');
