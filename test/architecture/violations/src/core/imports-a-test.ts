import { tested } from './choose.test.ts';

export const trespass = tested;
