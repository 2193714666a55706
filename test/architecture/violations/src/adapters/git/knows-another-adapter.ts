import { append } from '../journal.ts';

export const trespass = append;
