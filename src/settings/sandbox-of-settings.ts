import { resolve } from 'node:path';
import { parseBytes } from '../kit/pure/amounts.ts';
import { homeOfUser } from '../process/io.ts';
import { secretPlaces } from './notify-of-settings.ts';
import type { SandboxSpec } from './schema/sandbox-spec.ts';
import type { CompleteSettings } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

/** Resolves a path of the settings: relative to the start directory of the run, or with `~` for the home. */
export function pathOf(text: string, cwd: string): string {
  return resolve(cwd, text.replace(/^~(?=\/|$)/, homeOfUser()));
}

type OfWall = Pick<CompleteSettings, 'sandbox' | 'workspace' | 'env' | 'guard' | 'proof' | 'notify'>;

/** The sandbox as the settings define it. If they name no mode, it is the weakest and not forced; the start of the run then chooses a stronger one. */
export function sandboxOf({ sandbox, workspace, env, guard, proof, notify }: OfWall, cwd: string): SandboxSpec {
  const path = (text: string) => pathOf(text, cwd);
  const hidden = [...(proof.sealed === undefined ? [] : [proof.sealed]), ...secretPlaces(notify ?? {}).files].map(path);
  return {
    mode: sandbox.mode === 'auto' ? 'guard' : sandbox.mode,
    forced: sandbox.mode !== 'auto',
    reason: null,
    gates: sandbox.gates,
    hosts: [...sandbox.allowHosts],
    writable: sandbox.writable.map(path),
    readable: sandbox.readable.map(path),
    ...(hidden.length > 0 && { hidden }),
    ...(sandbox.maxMemory !== undefined && { maxMemory: parseBytes(sandbox.maxMemory) ?? 0 }),
    ...(sandbox.maxProcesses !== undefined && { maxProcesses: sandbox.maxProcesses }),
    login: 'agent',
    workspace,
    env: { pass: [...env.pass] },
    guard: { allow: [...guard.allow], deny: [...guard.deny], warn: [...guard.warn] },
  };
}

/** The caller's settings of sandbox and proof override those of the files. Only `allowHosts` and `mayChange` are added to them. */
export function overrideSandbox(file: SettingsFile, { sandbox, proof }: SettingsFile): Pick<SettingsFile, 'sandbox' | 'proof'> {
  return {
    ...(sandbox && { sandbox: { ...sandbox, allowHosts: both(file.sandbox?.allowHosts, sandbox.allowHosts) } }),
    ...(proof && { proof: { ...proof, mayChange: both(file.proof?.mayChange, proof.mayChange) } }),
  };
}

const both = (one: readonly string[] = [], other: readonly string[] = []) => [...new Set([...one, ...other])];
