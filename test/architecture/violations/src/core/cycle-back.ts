import type { There } from './cycle-there.ts';

export type Back = There | 2;
