import { bounded } from '../kit/pure/bounded.ts';
import type { Noun } from '../model/noun.ts';

export const choose = (noun: Noun): number => bounded(noun.size);
