import { pause } from '../kit/async/pause.ts';

export const trespass = pause;
