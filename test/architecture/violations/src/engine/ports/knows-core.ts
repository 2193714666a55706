import type { choose } from '../../core/choose.ts';

export type Trespass = typeof choose;
