import { findAgents } from '../../agents/find-agents.ts';
import { readProject } from './project.ts';
import type { Proposal } from './proposal.ts';
import { proposeGuardrails } from './propose-guardrails.ts';

/** What is here already: agents on PATH, and the checks of the project. */
export interface Found {
  readonly agents: readonly string[];
  readonly guardrails: readonly Proposal[];
}

export async function lookAround(cwd: string): Promise<Found> {
  const [agents, project] = await Promise.all([findAgents(cwd), readProject(cwd)]);
  return { agents, guardrails: proposeGuardrails(project) };
}
