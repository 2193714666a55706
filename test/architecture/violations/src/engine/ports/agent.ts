import type { Noun } from '../../model/noun.ts';

export interface AgentPort {
  run(noun: Noun): Promise<void>;
}
