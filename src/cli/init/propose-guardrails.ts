import { makeTargets } from './make-targets.ts';
import { packageScripts } from './package-scripts.ts';
import type { Project } from './project.ts';
import type { Proposal } from './proposal.ts';
import { toolchainChecks } from './toolchain-checks.ts';

/** The guardrails a project seems to have already. Nothing is run to find out. What its Makefile says counts more than what its language usually means. */
export function proposeGuardrails(project: Project): readonly Proposal[] {
  const { file, targets } = makeTargets(project);
  const usual = toolchainChecks(project).filter(({ purpose }) => !targets.some((target) => target === purpose));
  return [
    ...packageScripts(project),
    ...targets.map((target) => ({ command: `make ${target}`, from: file })),
    ...usual.map(({ command, from }) => ({ command, from })),
  ];
}
