import { run } from './run.ts';

export const trespass = run;
