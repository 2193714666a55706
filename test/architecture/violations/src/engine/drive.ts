import { choose } from '../core/choose.ts';
import { pause } from '../kit/async/pause.ts';
import type { AgentPort } from './ports/agent.ts';

export const drive = (agent: AgentPort): unknown => [agent, choose, pause];
