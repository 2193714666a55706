import type { AgentPort } from '../../engine/ports/agent.ts';

export const cliAgent = (): AgentPort => ({ run: () => Promise.resolve() });
