import { readdir, realpath } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { findExecutable } from '../../process/find-executable.ts';
import { gateEnvironment } from '../../sandbox/environment/gate-environment.ts';
import { isBelow } from '../../sandbox/os/mount-plan.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { type Check, type Finding, fine, NOTHING, type PlannedRun } from './finding.ts';
import { programOfLine } from './program-of-line.ts';

/** A gate whose program does not exist would be red for ever, whatever the agent does. */
export const checkGatePrograms: Check = async (run) => {
  const { settings, workspace, ownGates = [] } = run;
  const commands = [...new Set([...settings.gates.map(({ command }) => command), ...ownGates])];
  // The microVM has its own programs.
  const path = settings.wall.mode === 'docker' || process.platform === 'win32' ? undefined : pathOf(settings, workspace);
  if (commands.length === 0 || path === undefined) return NOTHING;
  const looked = await Promise.all(commands.map((command) => lookFor(command, { path, workspace: run.workspace })));
  const findings = looked.flatMap(({ finding }) => finding ?? []);
  if (findings.length > 0) return { findings, ok: [] };
  const hidden = await hiddenGates(looked, run);
  if (hidden.length > 0) return { findings: hidden, ok: [] };
  return fine(`${commands.length === 1 ? 'its program exists' : 'their programs exist'}: ${commands.map(shown).join(', ')}`);
};

function pathOf({ wall }: RunSettings, { env }: PlannedRun['workspace']): string | undefined {
  return (wall.gates === 'host' ? env : gateEnvironment(env, wall.env))['PATH'];
}

interface Where {
  readonly path: string;
  readonly workspace: PlannedRun['workspace'];
}

interface Looked {
  readonly command: string;
  readonly finding?: Finding;
  /** The program that the shell finds in PATH, and its file. Absent in doubtful cases. */
  readonly program?: { readonly word: string; readonly file: string };
}

async function lookFor(command: string, { path, workspace }: Where): Promise<Looked> {
  const name = programOfLine(command);
  const file = name === null ? null : await findExecutable(name, { path, cwd: workspace.cwd });
  if (name === null) return { command };
  if (file !== null) return { command, program: { word: name, file } };
  const folders = path.split(delimiter);
  if (await areFilledByAgents(folders, workspace)) return { command };
  const near = didYouMean(name, (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat());
  const finding = {
    what: `the check "${shown(command)}" cannot run: the program ${name} was not found`,
    where: 'PATH',
    fix: `${near === null ? 'Install it or correct the command' : `Did you mean ${near}? Otherwise install it`}; --no-preflight starts the run anyway.`,
    isFatal: true,
  };
  return { command, finding };
}

/** Programs that the sandbox hides. */
async function hiddenGates(looked: readonly Looked[], run: PlannedRun): Promise<readonly Finding[]> {
  const { settings, workspace } = run;
  const programs = looked.flatMap(({ command, program }) => (program === undefined ? [] : [{ command, ...program }]));
  if (settings.wall.mode !== 'os' || settings.wall.gates === 'host' || programs.length === 0) return [];
  const { hiddenPrograms, showIt } = await import('./inside.ts');
  const hidden = await hiddenPrograms(programs, { who: 'gate', env: gateEnvironment(workspace.env, settings.wall.env) }, run);
  return hidden.map((program) => ({
    what: `the check "${shown(program.command)}" cannot run: the sandbox "os" hides the program ${program.word}`,
    where: program.file,
    fix: showIt(program),
    isFatal: true,
  }));
}

/** A folder of the work tree, such as node_modules/.bin, may get the program while the run works. */
async function areFilledByAgents(folders: readonly string[], { cwd, git }: PlannedRun['workspace']): Promise<boolean> {
  const top = await realpath(git?.topLevel ?? cwd).catch(() => cwd);
  const real = await Promise.all(folders.map((folder) => realpath(resolve(cwd, folder)).catch(() => resolve(cwd, folder))));
  return real.some((folder) => isBelow(folder, top));
}

const shown = (command: string) => truncateCodePoints(command, 60, '…');
