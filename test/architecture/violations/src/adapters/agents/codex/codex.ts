import { cliAgent } from '../cli-agent.ts';

export const codex = [cliAgent];
