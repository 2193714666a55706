import { choose } from '../core/choose.ts';

export const run = [choose];
