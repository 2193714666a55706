import { readFileSync } from 'node:fs';
import { packagePath } from './package-root.ts';

/** As published. */
export const VERSION: string = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version;
