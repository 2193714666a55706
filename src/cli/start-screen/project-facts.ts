import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findAgents } from '../../agents/find-definition.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { findPlan, pathFromHere, possiblePlans } from '../../plans/find/find-plan.ts';
import { runsWithStatusIn } from '../../runs/manage/find-run.ts';
import { newestRunsIn } from '../../runs/manage/newest-runs.ts';
import type { RunStateName } from '../../runs/manage/run-state.ts';
import { runsFolders, runsFoldersAround } from '../../runs/manage/runs-folders.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { checksIn } from '../../settings/schema/loop-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { type Project, proposeGuardrails, readProject } from '../init/detect-project.ts';
import { topOfRepository } from '../shared/top-of-repository.ts';

/** What a person needs to know to choose a command here. Reads files and starts no process, unless the repository is an unusual one. */
export interface ProjectFacts {
  /** Null: neither in the settings nor on PATH. */
  readonly agent: Found | null;
  readonly checks: readonly Found[];
  /** The folder to go to first, from here: the top of the repository, if its settings and checks are meant; empty: this one. */
  readonly folder: string;
  /** The command whose settings have the checks. */
  readonly command: 'run' | 'loop';
  readonly plan: PlanFact;
  /** The word that claims completion. */
  readonly word: string;
  /** A file with a prompt, as `ralph init` proposes it. */
  readonly promptFile: string | null;
  /** Runs that are active or wait for a person, and the newest run if it was killed. Newest first. */
  readonly runs: readonly RunFact[];
  readonly hasSettings: boolean;
  /** Why the settings cannot be used; null if they can. */
  readonly problem: string | null;
}

export interface Found {
  readonly command: string;
  /** Where it was found: a settings file, `PATH`, or the file of the project. */
  readonly from: string;
}

/** A `named` plan is worked on only if a person names it: by this path from `folder`. */
export type PlanFact =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly path: string }
  | { readonly kind: 'named'; readonly path: string; readonly named: string }
  | { readonly kind: 'several'; readonly why: string };

export interface RunFact {
  readonly run: string;
  readonly recipe: string;
  readonly state: Extract<RunStateName, 'running' | 'unknown' | 'waiting' | 'dead'>;
  /** Why it stopped, for a waiting run. */
  readonly reason: string | null;
}

/** The value of `from` for what the settings files say. */
export const SETTINGS = 'your settings';

export async function projectFacts(cwd: string): Promise<ProjectFacts> {
  const top = topOfRepository(cwd);
  const place = await placeToStart(cwd, top ?? cwd);
  const { project, said } = place;
  const [agents, plan, runs] = await Promise.all([
    findAgents({ cwd, path: environment()['PATH'] ?? '' }),
    planIn(top ?? cwd, cwd, place.path),
    runsAround(cwd, top),
  ]);
  const { settings } = said;
  const guardrails = (settings.guardrails ?? []).map(({ command }) => command);
  const own = guardrails.length > 0 ? guardrails : checksIn(settings).checks;
  const folder = pathFromHere(place.path, cwd);
  return {
    agent: agentHere(settings, agents),
    checks:
      own.length > 0
        ? own.map((command) => ({ command, from: SETTINGS }))
        : proposeGuardrails(project).map(({ command, from }) => ({ command, from: folder === '' ? from : `${folder}/${from}` })),
    folder,
    command: guardrails.length === 0 && own.length > 0 ? 'loop' : 'run',
    plan,
    word: settings.completionResponse ?? DEFAULTS.completionResponse,
    promptFile: existsSync(join(place.path, 'PROMPT.md')) ? 'PROMPT.md' : null,
    runs,
    hasSettings: said.sources.length > 0,
    problem: said.problem,
  };
}

interface StartPlace {
  readonly path: string;
  readonly project: Project;
  readonly said: SettingsHere;
}

/** A subfolder without settings and checks of its own, as most are, has those of the top of its repository. */
async function placeToStart(cwd: string, top: string): Promise<StartPlace> {
  const [here, above] = await Promise.all([cwd, top].map(async (path) => ({ path, project: await readProject(path), said: await settingsHere(path) })));
  const isEmpty = (place: StartPlace | undefined) => place === undefined || (place.said.sources.length === 0 && proposeGuardrails(place.project).length === 0);
  return (isEmpty(here) && !isEmpty(above) ? above : here) as StartPlace;
}

function agentHere({ agent, agents }: SettingsFile, [first]: readonly string[]): Found | null {
  const named = agent?.command ?? agents?.['build']?.command;
  if (named !== undefined) return { command: named, from: SETTINGS };
  return first === undefined ? null : { command: first, from: 'PATH' };
}

interface SettingsHere {
  readonly settings: SettingsFile;
  readonly sources: readonly string[];
  readonly problem: string | null;
}

async function settingsHere(cwd: string): Promise<SettingsHere> {
  try {
    return { ...(await loadLoopSettings(cwd, null)), problem: null };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { settings: {}, sources: [''], problem: error.message };
  }
}

async function planIn(top: string, cwd: string, start: string): Promise<PlanFact> {
  try {
    return { kind: 'one', path: pathFromHere(join(top, (await findPlan(top, null)).path), cwd) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.code === 'plan-missing' ? possiblePlan(possiblePlans(top, cwd), cwd, start) : { kind: 'several', why: error.message };
  }
}

function possiblePlan([path, ...others]: readonly string[], cwd: string, start: string): PlanFact {
  if (path === undefined) return { kind: 'none' };
  if (others.length === 0) return { kind: 'named', path: pathFromHere(path, cwd), named: pathFromHere(path, start) };
  return { kind: 'several', why: `${[path, ...others].map((each) => pathFromHere(each, cwd)).join(' or ')}, if you name one` };
}

const MOST_TREES = 20;

async function runsAround(cwd: string, top: string | null): Promise<readonly RunFact[]> {
  // Without a repository there is nothing to ask git.
  const folders = top === null ? await runsFoldersAround(cwd, { git: null, env: environment() }) : await runsFolders(top);
  const runs = (await newestRunsIn(folders, MOST_TREES))?.runs ?? (await runsWithStatusIn(folders));
  const own = runs.filter(({ parent }) => parent === null);
  return own.flatMap(({ sight, state }, index): readonly RunFact[] => {
    if (sight.kind !== 'run') return [];
    const { run, recipe, stopped } = sight;
    if (state !== 'running' && state !== 'unknown' && state !== 'waiting' && state !== 'dead') return [];
    const reason = stopped?.stop_reason ?? null;
    // A newer run has taken up the work of a killed or blocked one.
    const isOutdated = index > 0 && (state === 'dead' || reason === 'blocked');
    return isOutdated ? [] : [{ run, recipe, state, reason }];
  });
}
