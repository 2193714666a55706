import { Noun } from '../model/noun.ts';

export const trespass = Noun;
