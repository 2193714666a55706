import type { DockerCli } from './docker-cli.ts';
import { unavailable } from './sandbox-trouble.ts';

/** Those of our agents that Docker has a template for, by the same name in both command lines. */
export const TEMPLATES: readonly string[] = ['claude', 'codex', 'gemini', 'opencode'];

/** What a sandbox is made from. Without a template of its own an agent gets a plain machine, in which somebody has to install it. */
export function templateOf(cli: DockerCli, agentKind: string): string {
  if (TEMPLATES.includes(agentKind)) return agentKind;
  if (cli.flavour === 'sbx') return 'shell';
  throw unavailable(
    `"docker sandbox" has no template for the agent kind "${agentKind}".`,
    `Install sbx, or use one of ${TEMPLATES.join(', ')}, or --no-sandbox.`,
  );
}
