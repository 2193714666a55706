import { readFileSync } from 'node:fs';
import { packagePath } from './package-root.ts';

/** The published version. */
export const VERSION: string = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version;
