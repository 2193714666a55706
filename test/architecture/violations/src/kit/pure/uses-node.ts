import { join } from 'node:path';

export const trespass = join;
