import { run } from '../recipes/run.ts';

export const trespass = run;
