import { cliAgent } from '../agents/cli-agent.ts';

export const trespass = cliAgent;
