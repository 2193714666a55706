import { setTimeout } from 'node:timers/promises';
import { bounded } from '../pure/bounded.ts';

export const pause = (ms: number): Promise<void> => setTimeout(bounded(ms));
