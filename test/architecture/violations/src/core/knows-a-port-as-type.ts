import type { AgentPort } from '../engine/ports/agent.ts';

export type Trespass = AgentPort;
