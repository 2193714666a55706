import * as z from 'zod';
import type { DockerCommands } from './docker-commands.ts';
import { dockerProxyArgs, sbxAllowArgs, sbxCheckArgs, sbxInitArgs } from './docker-grammar.ts';
import { dockerFailed, unavailable } from './sandbox-trouble.ts';

/** No machine has this name, and no list: who may reach it may reach everything. */
const ANYWHERE = 'ralph-probe.invalid:443';
/** On every list of what developers usually want. */
const USUAL = 'github.com';

const Checked = z.looseObject({ allowed: z.boolean() });

/** sbx wants a policy for the whole machine before it makes its first sandbox. One that is there is left as it is: it is the operator's. */
export async function initNetworkPolicy(commands: DockerCommands, warn: (text: string) => void): Promise<void> {
  if (commands.cli.flavour === 'docker') return;
  const { code } = await commands.ask(sbxInitArgs);
  if (code === 0) warn('sbx had no network policy yet: it now denies all that is not allowed, on this whole machine ("sbx policy ls")');
}

/**
 * Only the named hosts can be reached from the sandbox. In sbx that is true only if the machine's own policy denies the rest, so it is asked; a machine that
 * allows everything is no wall. Rules that earlier runs gave to the same sandbox stay.
 */
export async function applyNetworkPolicy(commands: DockerCommands, name: string, hosts: readonly string[], warn: (text: string) => void): Promise<void> {
  if (commands.cli.flavour === 'docker') {
    await commands.must('setting its network policy', dockerProxyArgs(name, hosts));
    return;
  }
  if (hosts.length > 0) await commands.must('setting its network policy', sbxAllowArgs(name, hosts));
  if (await isAllowed(commands, name, ANYWHERE)) {
    throw unavailable(
      'The network policy of sbx on this machine allows every host: the sandbox would keep nothing in.',
      'Run "sbx policy reset" and "sbx policy init deny-all"; this changes all your sandboxes.',
    );
  }
  const named = hosts.some((host) => host.split(':', 1)[0]?.endsWith(USUAL));
  if (!named && (await isAllowed(commands, name, USUAL))) {
    warn(
      'the network policy of sbx on this machine lets the sandbox reach more than the hosts of this run ("sbx policy ls"); "sbx policy init deny-all" would not',
    );
  }
}

/** sbx ends with 1 where it says no. */
async function isAllowed(commands: DockerCommands, name: string, target: string): Promise<boolean> {
  const said = await commands.ask(sbxCheckArgs(name, target));
  const answer = /\{.*\}/s.exec(said.stdout)?.[0];
  const checked = Checked.safeParse(answer === undefined ? undefined : parsed(answer));
  if (!checked.success) throw dockerFailed(commands.cli, 'asking for its network policy', said);
  return checked.data.allowed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
