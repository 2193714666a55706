import { start } from '../kit/process/start.ts';
import { choose } from './choose.ts';

export const tested = [start, choose];
