import type { Back } from './cycle-back.ts';

export type There = Back | 1;
