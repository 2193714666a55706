import { findExecutable } from '../process/find-executable.ts';
import { environment } from '../sandbox/environment/environment.ts';

/** The agents to look for, in order of preference. */
export const KNOWN_AGENTS = ['claude', 'codex', 'amp', 'opencode', 'gemini'] as const;

/** Which of them are on PATH. They are not run. */
export async function findAgents(cwd: string): Promise<readonly string[]> {
  const path = environment()['PATH'] ?? '';
  const found = await Promise.all(KNOWN_AGENTS.map((name) => findExecutable(name, { path, cwd })));
  return KNOWN_AGENTS.filter((_, index) => found[index] !== null);
}
