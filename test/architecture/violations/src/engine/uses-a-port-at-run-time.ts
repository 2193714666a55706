import { trespass } from './ports/has-run-time-code.ts';

export const another = trespass;
