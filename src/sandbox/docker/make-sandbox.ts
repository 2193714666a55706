import { isThere } from '../../kit/files/is-there.ts';
import { CREATED_WITHIN_MS, type DockerCommands } from './docker-commands.ts';
import { createArgs, removeArgs } from './docker-grammar.ts';
import type { DockerWallOptions } from './docker-wall-options.ts';
import { furnishSandbox } from './furnish-sandbox.ts';
import { applyNetworkPolicy, initNetworkPolicy } from './network-policy.ts';
import type { SandboxRow } from './parse-list.ts';
import { unavailable } from './sandbox-trouble.ts';
import { prepareStateFolder } from './state-folder.ts';

interface Making {
  readonly commands: DockerCommands;
  readonly name: string;
  readonly template: string;
  readonly scratch: string;
  readonly options: DockerWallOptions;
  readonly mounts: readonly string[];
  /** Called before the first command starts it. */
  readonly willStart: () => Promise<void>;
}

/** The project's sandbox, made if it is not there, with its login, its hooks and its hosts. All but the making is done at every start. */
export async function makeSandbox({ commands, name, template, scratch, options, mounts, willStart }: Making): Promise<void> {
  const stateFolder = await prepareStateFolder(options.home);
  await initNetworkPolicy(commands, options.warn);
  if ((await findSandbox(commands, name, mounts)) === null) {
    const paths = [...mounts, stateFolder];
    const readOnly = await thoseThere(options.readOnlyPaths);
    await commands.must('making it', createArgs(commands.cli, { name, template, paths, readOnly }), { timeoutMs: CREATED_WITHIN_MS });
  }
  await willStart();
  // The policy comes first: nothing runs inside without it.
  await applyNetworkPolicy(commands, name, options.hosts, options.warn);
  await furnishSandbox(commands, { name, stateFolder, hookEntry: options.hookEntry, node: process.execPath, scratch });
}

/** Null: there is none. Rejects where one of that name is another project's, or was made without a folder that is needed now. */
export async function findSandbox(commands: DockerCommands, name: string, mounts: readonly string[]): Promise<SandboxRow | null> {
  const row = (await commands.list()).find((listed) => listed.name === name);
  if (row === undefined) return null;
  const held = row.workspaces?.map((path) => path.replace(/:ro$/, '')) ?? null;
  const missing = held === null ? [] : mounts.filter((path) => !held.includes(path));
  if (missing.length === 0) return row;
  const remove = [commands.cli.file, ...removeArgs(commands.cli, name)].join(' ');
  const what = missing[0] === mounts[0] ? `is that of another project, ${held?.[0]}` : `was made without ${missing.join(', ')}`;
  throw unavailable(`The Docker sandbox ${name} ${what}.`, `If you do not need it, remove it with "${remove}": it is then made anew.`);
}

async function thoseThere(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(isThere));
  return paths.filter((_, index) => there[index]);
}
