import { readFileSync } from 'node:fs';

export const trespass = readFileSync;
