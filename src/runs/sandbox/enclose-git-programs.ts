import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../kit/async/scope.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { gateEnvironment } from '../../sandbox/environment/gate-environment.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { enclosePrograms } from '../../workspace/git/enclose-programs.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { type GitProgram, readGitPrograms } from '../../workspace/git/git-programs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { sandboxInPlace } from './open-sandboxes.ts';

interface ProgramsPlace {
  readonly workspace: Workspace;
  readonly settings: RunSettings;
  readonly run: string;
  readonly runFolder: string;
  readonly scope: Scope;
  readonly warn: (text: string) => void;
}

/** The same workspace, in which Ralph's own git runs filters and merge drivers only in a sandbox, as they are now. Without any, it is the same object. */
export async function withEnclosedPrograms({ workspace, settings, run, runFolder, scope, warn }: ProgramsPlace): Promise<Workspace> {
  const { git, env, cwd } = workspace;
  const programs = git === null ? [] : (await readGitPrograms(git.topLevel, env)).programs;
  if (git === null || programs.length === 0) return workspace;
  if (!(await canEnclose(settings))) {
    const open = programs.filter(({ command }) => !OF_LFS.test(command));
    if (open.length > 0) warn(`git runs ${namesOf(open)} outside a sandbox, on what agents write`);
    return workspace;
  }
  const { wall } = settings;
  const place = { run: `${run}-git`, runFolder, scope, warn, onRefused: () => undefined };
  const sandbox = await sandboxInPlace(workspace, { ...settings, wall: { ...wall, mode: 'os' } }, place);
  if (sandbox === null) return workspace;
  const enclosed = await enclosePrograms(programs, {
    ...{ wall: sandbox, programEnv: gateEnvironment(env, wall.env), env },
    ...{ root: await realpath(git.topLevel), commonDir: await realpath(git.commonDir), folder: join(await realpath(runFolder), 'git-programs') },
  });
  const opened = await openGitCli(cwd, enclosed);
  scope.defer(() => opened?.[Symbol.asyncDispose]());
  return { ...workspace, env: enclosed, git: opened };
}

/** They load nothing from the work tree. */
const OF_LFS = /^git[ -]lfs /;

const namesOf = (programs: readonly GitProgram[]) => oneLine([...new Set(programs.map(({ key }) => key.slice(0, key.lastIndexOf('.'))))].join(', '));

/** Gates on the host are the operator's word that what agents write may run there. */
async function canEnclose({ wall: { mode, gates } }: RunSettings): Promise<boolean> {
  if (mode === 'guard' || gates === 'host' || process.platform !== 'linux') return false;
  return mode === 'os' || (await (await import('../../sandbox/os/why-no-os-sandbox.ts')).osSandboxHere()).missing === null;
}
