import { OperatorError } from '../../kit/pure/operator-error.ts';

export interface PlanningWish {
  /** The words of the agent's command, and what it is by its name. */
  readonly words: readonly string[];
  readonly kind: string;
  readonly model: string | null;
  /** The folder of our plugin, and the text of the skill in it, without its front matter. */
  readonly plugin: string;
  readonly skill: string;
}

/** How each agent is started at a terminal with something to begin with; the others take it as their last word. */
const FIRST_PROMPT: Readonly<Record<string, (prompt: string) => readonly string[]>> = {
  gemini: (prompt) => ['--prompt-interactive', prompt],
  opencode: (prompt) => ['--prompt', prompt],
};

/** The command that opens a planning session. claude has the skill from our plugin; every other agent is told it word for word. */
export function planningCall({ words, kind, model, plugin, skill }: PlanningWish): readonly string[] {
  const named = model === null ? [] : ['--model', model];
  if (kind === 'claude') return [...words, '--plugin-dir', plugin, ...named, '/ralph:ralph-plan'];
  if (kind === 'amp') throw takesNone(plugin);
  const prompt = `Do what follows, together with me, in this directory.\n\n${skill}`;
  return [...words, ...named, ...(FIRST_PROMPT[kind]?.(prompt) ?? [prompt])];
}

function takesNone(plugin: string): OperatorError {
  return new OperatorError('agent-takes-no-prompt', 'amp cannot be started at a terminal with a first prompt', {
    hint: `Start it yourself and say: do what ${plugin}/skills/ralph-plan/SKILL.md says. Or name another with --agent.`,
    exitCode: 2,
  });
}
