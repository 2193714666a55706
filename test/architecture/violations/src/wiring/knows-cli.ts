import { main } from '../cli/main.ts';

export const trespass = main;
