import type { Command } from 'commander';
import { collect } from './collect.ts';

/** What every command has that starts agents. */
export function withSandboxOptions(command: Command): Command {
  return command
    .optionsGroup('What stands around the agent:')
    .option('--sandbox [mode]', '=docker, =os or =guard, or not at all; alone it is docker (the strongest that is there)')
    .option('--no-sandbox', 'no sandbox: only the guard looks at commands')
    .option('--allow-host <host>', "a host that may be reached beside the model's; repeat it for more", collect);
}

/** The same, and `--protect`, which a loop has among its proofs. */
export function withProtectedSandbox(command: Command): Command {
  return withSandboxOptions(command).option('--protect <glob>', 'paths no agent may change; repeat it for more', collect);
}
