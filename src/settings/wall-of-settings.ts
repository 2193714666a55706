import { resolve } from 'node:path';
import { homeOfUser } from '../process/io.ts';
import type { CompleteSettings, SettingsFile } from './schema/settings-file.ts';
import type { WallSpec } from './schema/wall.ts';

/** A path as the operator writes one: from where the run starts, or with `~` for the home. */
export function pathOf(text: string, cwd: string): string {
  return resolve(cwd, text.replace(/^~(?=\/|$)/, homeOfUser()));
}

type OfWall = Pick<CompleteSettings, 'sandbox' | 'workspace' | 'env' | 'guard' | 'proof'>;

/** The wall as the settings have it. Where they leave it open it is the weakest, and not forced: whoever starts the run looks for a stronger one. */
export function wallOf({ sandbox, workspace, env, guard, proof }: OfWall, cwd: string): WallSpec {
  const path = (text: string) => pathOf(text, cwd);
  return {
    mode: sandbox.mode === 'auto' ? 'guard' : sandbox.mode,
    forced: sandbox.mode !== 'auto',
    reason: null,
    gates: sandbox.gates,
    hosts: [...sandbox.allowHosts],
    writable: sandbox.writable.map(path),
    readable: sandbox.readable.map(path),
    ...(proof.sealed !== undefined && { hidden: [path(proof.sealed)] }),
    login: 'agent',
    workspace,
    env: { pass: [...env.pass] },
    guard: { allow: [...guard.allow], deny: [...guard.deny], warn: [...guard.warn] },
  };
}

/** What the caller says of the sandbox and of proof over what the files say: hosts, and what may change, are added; all else is replaced. */
export function sandboxOver(file: SettingsFile, { sandbox, proof }: SettingsFile): Pick<SettingsFile, 'sandbox' | 'proof'> {
  return {
    ...(sandbox && { sandbox: { ...sandbox, allowHosts: both(file.sandbox?.allowHosts, sandbox.allowHosts) } }),
    ...(proof && { proof: { ...proof, mayChange: both(file.proof?.mayChange, proof.mayChange) } }),
  };
}

const both = (one: readonly string[] = [], other: readonly string[] = []) => [...new Set([...one, ...other])];
