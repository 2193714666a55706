import { resolve } from 'node:path';
import { homeOfUser } from '../process/io.ts';
import type { CompleteSettings, SettingsFile } from './schema/settings-file.ts';
import type { WallSpec } from './schema/wall.ts';

/** The wall as the settings have it. Where they leave it open it is the weakest, and not forced: whoever starts the run looks for a stronger one. */
export function wallOf({ sandbox, workspace, env, guard }: Pick<CompleteSettings, 'sandbox' | 'workspace' | 'env' | 'guard'>, cwd: string): WallSpec {
  const path = (text: string) => resolve(cwd, text.replace(/^~(?=\/|$)/, homeOfUser()));
  return {
    mode: sandbox.mode === 'auto' ? 'guard' : sandbox.mode,
    forced: sandbox.mode !== 'auto',
    reason: null,
    gates: sandbox.gates,
    hosts: [...sandbox.allowHosts],
    writable: sandbox.writable.map(path),
    readable: sandbox.readable.map(path),
    login: 'agent',
    workspace,
    env: { pass: [...env.pass] },
    guard: { allow: [...guard.allow], deny: [...guard.deny], warn: [...guard.warn] },
  };
}

/** What the caller says of the sandbox over what the files say: hosts are added, all else is replaced. */
export function sandboxOver({ sandbox: ofFile }: SettingsFile, { sandbox: said }: SettingsFile): Pick<SettingsFile, 'sandbox'> {
  if (said === undefined) return {};
  const allowHosts = [...new Set([...(ofFile?.allowHosts ?? []), ...(said.allowHosts ?? [])])];
  return { sandbox: { ...said, allowHosts } };
}
