import { cliAgent } from '../cli-agent.ts';
import { parse } from './stream.ts';

export const claude = [cliAgent, parse];
