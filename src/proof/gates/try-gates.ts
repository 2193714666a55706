import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Checkout } from '../../engine/ports/git.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import { hasBarePipe } from '../../report/console/look.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { type GitCli, openGitCli } from '../../workspace/git/git-cli.ts';
import { whyNothingIsPlanted } from '../canaries/plants-for.ts';
import { testsReported } from '../canaries/shown-in.ts';
import { type GateSight, lookAtGate } from '../deciders/look-at-gate.ts';
import type { Repository } from '../deciders/repository.ts';
import { isOnlyDocumented } from '../deciders/tools/all-tools.ts';
import { usedByTests, withUsed } from '../deciders/used-by-tests/used-by-tests.ts';
import { LEFT_OUT } from '../judge/proof-words.ts';
import { lifeOf, plantsAtFirst } from '../prove/life.ts';
import type { LifeCopy } from '../prove/planted-run.ts';
import { MOST_OUTPUT, repositoryOf, treeCopyIn } from '../prove/proof-copy.ts';
import { commandAt, resultOf } from '../run-gates.ts';
import { openCheckShell } from '../verify/rerun-checks.ts';

export interface SeenGate {
  readonly gate: GateSpec;
  readonly sight: GateSight;
  /** The programs that it leads to, in the order in which they were found; empty if unknown. */
  readonly leadsTo: readonly string[];
  readonly deciders: { readonly configuration: readonly string[]; readonly tests: readonly string[] };
  /** The files in which failures would be planted. */
  readonly planted: readonly string[];
  /** For a person: what nobody can tell about it, whatever it prints. */
  readonly cannotShow: readonly string[];
}

/** What can be known about a gate without running it. */
export async function seeGate(gate: GateSpec, below: string, repository: Repository): Promise<SeenGate> {
  const plain = await lookAtGate(gate.command, below, repository);
  const sight = withUsed(plain, await usedByTests(repository.paths, [plain], repository));
  const isKnown = sight.runners.length > 0;
  const planted = isKnown && gate.proof === undefined ? (await plantsAtFirst(repository, sight)).map(({ path }) => path) : [];
  const of = (kind: 'configuration' | 'test') => repository.paths.filter((path) => sight.decides(path) === kind);
  return {
    gate,
    sight,
    // The tools of an unknown gate are all known tools.
    leadsTo: isKnown ? sight.tools.map(({ name }) => name) : [],
    deciders: { configuration: of('configuration'), tests: of('test') },
    planted,
    cannotShow: [
      ...(gate.proof === undefined ? limitsOf(sight, planted) : [OF_SETTINGS[gate.proof]]),
      ...(hasBarePipe(gate.command) ? ["a pipe's exit code is its last command's: a failure before it is lost"] : []),
    ],
  };
}

/** Whatever else there is to know about the gate does not matter then. */
const OF_SETTINGS = { green: 'has no failures planted, as its settings say: not shown to be alive', off: `${LEFT_OUT}: not shown to be alive` } as const;

function limitsOf(sight: GateSight, planted: readonly string[]): readonly string[] {
  if (sight.runners.length === 0) return ['runs no test runner that Ralph knows: not shown to be alive'];
  const documented = sight.tools.filter(isOnlyDocumented).map(({ name }) => name);
  const runsTests = sight.tools.some(({ tests }) => tests.length > 0) || sight.tests.length > 0;
  return [
    ...(sight.choosesTests ? ['runs only chosen tests: others may be red'] : []),
    ...(documented.length > 0 ? [`documented only: nobody ran ${documented.join(', ')} against cheats`] : []),
    ...(runsTests ? [] : ['checks sources and runs no test']),
    ...(planted.length === 0 ? [`${whyNothingIsPlanted(sight.runners, sight.tests.length > 0)}: not shown to be alive`] : []),
  ];
}

export interface TriedGate {
  readonly green: boolean;
  /** The duration of the run without planted failures, and of those with them. */
  readonly durationMs: number;
  readonly plantedMs: number;
  /** How many tests it reports; null if it does not. */
  readonly tests: number | null;
  readonly life: GateLife;
  /** Files in which planted failures were noticed. */
  readonly alive: readonly string[];
  /** Files in which they were not noticed. */
  readonly dead: readonly string[];
  /** Files for which that is unknown. */
  readonly unknown: readonly string[];
}

export interface GateTrials extends AsyncDisposable {
  run(seen: SeenGate, signal: AbortSignal): Promise<TriedGate>;
}

/** Makes a copy of the files, with the operator's ignored ones, in which gates run without a sandbox. Disposing removes it. */
export async function openTrials({ git, tree }: { readonly git: GitCli; readonly tree: string }): Promise<GateTrials> {
  const checkout: Checkout = await git.history.checkOut(tree, { ignored: 'linked' });
  const checks = await openCheckShell('gates');
  let runs = 0;
  let spentMs = 0;
  const runOnce = async (gate: GateSpec, signal: AbortSignal): Promise<GateResult> => {
    runs += 1;
    const request = { command: commandAt(gate.command, git.topLevel, checkout.top), cwd: checkout.path, timeoutMs: gate.timeoutMs, ...checks.placeOf(runs) };
    const ran = await checks.shell.run({ ...request, maxOutputBytes: 1024 ** 3, keepChars: MOST_OUTPUT, keep: 'end', digest: false }, signal);
    spentMs += ran.durationMs;
    return resultOf(gate, ran, '');
  };
  const copy: LifeCopy = { ...(await treeCopyIn(checkout, { tree }, git.history)), runPlanted: runOnce };
  return {
    async run(seen, signal) {
      const { green, duration_ms: durationMs, output } = await runOnce(seen.gate, signal);
      spentMs = 0;
      const found = await livingIn(seen, copy, signal);
      return { green, durationMs, plantedMs: Math.round(spentMs), tests: testsReported(output.slice(-100_000)), ...found };
    },
    async [Symbol.asyncDispose]() {
      await checks[Symbol.asyncDispose]();
      await checkout[Symbol.asyncDispose]();
    },
  };
}

type Living = Pick<TriedGate, 'life' | 'alive' | 'dead' | 'unknown'>;

/** A silent file may only be hidden behind the first failure, so it is tried again by itself. */
async function livingIn({ gate, sight, planted }: SeenGate, copy: LifeCopy, signal: AbortSignal): Promise<Living> {
  const life = await lifeOf({ gate, copy, sight, before: null }, signal);
  const silent = planted.filter((path) => !life.files.includes(path));
  if (life.state === 'dead') return { life, alive: [], dead: planted, unknown: [] };
  const runsTests = sight.tests.length > 0 || sight.specs.length > 0;
  if (life.state === 'unknown' || silent.length === 0 || !runsTests || signal.aborted) return { life, alive: life.files, dead: [], unknown: silent };
  const second = await lifeOf({ gate, copy, sight: { ...sight, tests: silent }, before: null }, signal);
  const rest = silent.filter((path) => !second.files.includes(path));
  const isDead = second.state === 'dead';
  return { life, alive: [...life.files, ...second.files], dead: isDead ? rest : [], unknown: isDead ? [] : rest };
}

/** The current files of a project, for a look at its gates. */
export interface OpenTree extends AsyncDisposable {
  readonly repository: Repository;
  /** The folder in which the gates run, relative to the top. */
  readonly below: string;
  /** What copies can be made from; null without git: `why` has the reason. */
  readonly copied: { readonly git: GitCli; readonly tree: string } | null;
  readonly why: string;
}

/** With git all files that it does not ignore, else all files in the folder. */
export async function openTree(cwd: string): Promise<OpenTree> {
  const git = await openGitCli(cwd, environment());
  if (git === null) return { ...(await lyingIn(cwd)), why: 'this is no git repository', async [Symbol.asyncDispose]() {} };
  const close = () => git[Symbol.asyncDispose]();
  try {
    const below = await git.history.below();
    const sight = await git.look();
    if (sight?.tree == null) {
      const { repository } = await lyingIn(git.topLevel);
      return { repository, below, copied: null, why: sight?.problem ?? 'git cannot name the files', [Symbol.asyncDispose]: close };
    }
    const { tree } = sight;
    return { repository: await repositoryOf(tree, git.history), below, copied: { git, tree }, why: '', [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Folders of installed or generated files. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', 'target', '__pycache__']);
const MOST_PATHS = 20_000;

async function lyingIn(top: string): Promise<Pick<OpenTree, 'repository' | 'below' | 'copied'>> {
  const paths: string[] = [];
  const folders = [top];
  for (let folder = folders.shift(); folder !== undefined && paths.length < MOST_PATHS; folder = folders.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isFile()) paths.push(relative(top, path));
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
    }
  }
  const on = openCopiedFiles(top);
  return { repository: { paths, read: async (path) => on.read(path) }, below: '', copied: null };
}
