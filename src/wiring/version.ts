import { readFileSync } from 'node:fs';

/** As published; the package file lies two folders above both src/wiring and dist/wiring. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
