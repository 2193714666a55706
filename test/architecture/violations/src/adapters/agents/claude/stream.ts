import { Noun } from '../../../model/noun.ts';

export const parse = (value: unknown): Noun => Noun.parse(value);
