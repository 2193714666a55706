import { pause } from '../async/pause.ts';

export const trespass = pause;
