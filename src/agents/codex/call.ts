import type { AgentCall, CallSpec, KnownFlags } from '../agent-definition.ts';
import { choosesOneOf } from '../command-words.ts';

/** Two names of one flag. */
export const eventFlags = ['--json', '--experimental-json'];
const sandboxFlags = ['--sandbox', '-s', '--full-auto', '--dangerously-bypass-approvals-and-sandbox', '--yolo'];

/**
 * `-` reads the prompt from stdin, and stands last. A flag given twice is an error to codex (exit 2), so what the operator chose
 * replaces ours. Without `--json` only its last message is on stdout, all the rest on stderr.
 */
export function callCodex(spec: CallSpec, known: KnownFlags): AgentCall {
  const { output, flags, model, insideGit } = spec;
  const args = [
    'exec',
    ...(output === 'text' || choosesOneOf(flags, eventFlags) ? [] : ['--json']),
    ...sandboxOf(spec, known),
    ...(insideGit || choosesOneOf(flags, ['--skip-git-repo-check']) ? [] : ['--skip-git-repo-check']),
    ...(model === null || choosesOneOf(flags, ['--model', '-m']) ? [] : ['--model', model]),
    ...onlyTheOperatorsOwn(spec, known),
    ...flags,
    '-',
  ];
  return { args, env: {} };
}

/** Rules, servers, skills and AGENTS.md of the project are what the agent before may have written. */
function onlyTheOperatorsOwn({ judges, cwd, flags }: CallSpec, known: KnownFlags): readonly string[] {
  if (!judges) return [];
  const settings = ['project_doc_max_bytes=0', 'skills.include_instructions=false', `projects={${JSON.stringify(cwd)}={trust_level="untrusted"}}`];
  const ignoresRules = known?.has('--ignore-rules') === true && !choosesOneOf(flags, ['--ignore-rules']);
  return [...(ignoresRules ? ['--ignore-rules'] : []), ...settings.flatMap((setting) => ['-c', setting])];
}

/** Codex never asks: what the sandbox forbids simply fails. Versions without `--sandbox` have `--full-auto`. */
function sandboxOf({ autonomy, flags, enclosed }: CallSpec, known: KnownFlags): readonly string[] {
  if (choosesOneOf(flags, sandboxFlags)) return [];
  // A sandbox does not nest: inside of ours, its own would refuse every command.
  if (enclosed && autonomy !== 'ask') return ['--dangerously-bypass-approvals-and-sandbox'];
  const offersSandbox = known === null || known.has('--sandbox');
  if (autonomy === 'ask') return offersSandbox ? ['--sandbox', 'read-only'] : [];
  return offersSandbox ? ['--sandbox', 'workspace-write'] : ['--full-auto'];
}
