import { choose } from '../core/choose.ts';

export const trespass = choose;
