import { join, relative } from 'node:path';
import { attemptMarker, timeLeft } from '../../engine/attempt-folder.ts';
import type { CommandRequest, CommandResult } from '../../engine/ports/command.ts';
import type { Checkout, GitHistory, TreeFile } from '../../engine/ports/git.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { FindLiving, Prove, RunGates } from '../../journal/effects/effect.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import { openTemporaryFolder } from '../../process/temporary-folder.ts';
import { LOOP_DEFAULTS } from '../../settings/schema/loop-settings.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { gitMust } from '../../workspace/effects/scm-place.ts';
import type { Edit } from '../deciders/base-deciders.ts';
import type { Repository } from '../deciders/repository.ts';
import { type GateToRun, logNames, runGate, runGateOnce } from '../run-gates.ts';
import { SEALED_FOLDER } from '../sealed/sealed-list.ts';
import type { SealedFile } from './sealed-folder.ts';
import { setUpCopy } from './set-up-copy.ts';

export type Files = ReadonlyMap<string, TreeFile>;

type Proving = Pick<Prove, 'key' | 'iteration' | 'attempt' | 'tree' | 'until'> & {
  /** The files whose deciders count. Absent: those of the tree itself. */
  readonly base?: Files;
  /** False: packages are installed first if a lock file is not that of the base. */
  readonly isSetUp?: boolean;
};

/** One process of a driver of sealed checks. */
export interface SealedCall {
  readonly command: string;
  readonly stdin: string;
  readonly timeoutMs: number;
}

/** The drivers, the folder from which a sandbox shows them, and the file for their output while they run. */
interface SealedPlace {
  readonly drivers: readonly SealedFile[];
  readonly from: string;
  readonly logFile: string;
}

/** The files of a copy of a tree, which change between two runs. None of them ever lands. */
export interface TreeCopy extends Repository {
  readonly files: Files;
  /** The folder in which the gates run, relative to the top. */
  readonly below: string;
  write(path: string, text: string): void;
  /** Reverts files that were overwritten. */
  restore(paths: readonly string[]): Promise<void>;
  apply(edits: readonly Edit[]): Promise<void>;
  /** Makes all files newer than what gates have built from them: make and cargo go by the time. */
  touchAll(): void;
}

/** The same, with gates that run in it. */
export interface ProofCopy extends AsyncDisposable, Omit<TreeCopy, 'touchAll'> {
  /** Whether it is mounted at the path of the work tree. Else it is elsewhere, and may be red only because of that. */
  readonly isStandIn: boolean;
  /** Runs the gates as after an iteration, flaky ones again: also in `run` and stories, whose iterations do not. */
  runAll(gates: readonly GateSpec[], signal: AbortSignal): Promise<readonly GateResult[]>;
  /** Runs the gates with the deciders of the base, a red one twice, without showing progress. What was built with other deciders is built anew. */
  runBased(gates: readonly GateSpec[], signal: AbortSignal): Promise<readonly GateResult[]>;
  /** Makes the copy again: tests of the claim have run in it, and may have left something in any of its files. */
  renew(): Promise<void>;
  /** Runs the gate once, without showing progress: nobody else may see its output about planted failures. */
  runPlanted(gate: GateSpec, signal: AbortSignal): Promise<GateResult>;
  /** Runs without showing progress, and without a log, so that sealed checks stay hidden. */
  runSealed(call: SealedCall, place: SealedPlace, signal: AbortSignal): Promise<CommandResult>;
}

/** A fresh checkout of the tree, with the operator's ignored files. If agents are isolated, it is mounted at the path of the work tree too. */
export async function openProofCopy(effect: FindLiving | Prove, ports: Ports, base?: Files): Promise<ProofCopy> {
  const ignored = ports.settings.wall.workspace === 'isolated' ? 'stand-in' : 'linked';
  const checkout = await gitMust('make a copy of the work', () => ports.history.checkOut(effect.tree, { ignored }));
  try {
    const { key, iteration, attempt, tree, until } = effect;
    return await proofCopyIn(checkout, { key, iteration, attempt, tree, until, ...(base && { base, isSetUp: false }) }, ports);
  } catch (error) {
    await checkout[Symbol.asyncDispose]();
    throw error;
  }
}

export async function treeCopyIn(checkout: Checkout, { tree, base: others }: Pick<Proving, 'tree' | 'base'>, history: GitHistory): Promise<TreeCopy> {
  const files = await filesOf(tree, history);
  const base = others ?? files;
  const on = openCopiedFiles(checkout.top);
  const put = async (path: string, { mode, id }: TreeFile) => on.write(path, { bytes: await gitMust('read a file', () => history.bytesOf(id)), mode });
  const write = (path: string, text: string) => on.write(path, { bytes: Buffer.from(text), mode: files.get(path)?.mode ?? '100644' });
  return {
    files,
    paths: [...files.keys()],
    below: relative(checkout.top, checkout.path),
    read: async (path) => (files.has(path) ? on.read(path) : null),
    write,
    async restore(paths) {
      for (const path of paths) {
        const file = files.get(path);
        if (file === undefined) on.remove(path);
        else await put(path, file);
      }
    },
    async apply(edits) {
      for (const edit of edits) {
        const file = base.get(edit.path);
        if (edit.to === 'text') write(edit.path, edit.text);
        else if (edit.to === 'base' && file !== undefined) await put(edit.path, file);
        else on.remove(edit.path);
      }
    },
    touchAll: () => {
      for (const path of new Set([...files.keys(), ...base.keys()])) on.touch(path);
    },
  };
}

/** The same in a checkout that the caller has made and removes. */
export async function proofCopyIn(checkout: Checkout, effect: Proving, ports: Ports): Promise<ProofCopy> {
  const isStandIn = ports.settings.wall.workspace === 'isolated';
  let shared = new Set(checkout.shared);
  const whereNow = () => (isStandIn ? { cwd: ports.place.workspace, ownFolder: { folder: checkout.top, shared: [...shared] } } : { cwd: checkout.path });
  // What the claimed tests have left in a cache must not judge them by the deciders of the base.
  const caches = await openTemporaryFolder('caches');
  const cachesFor = (phase: string) => join(caches.path, phase === 'base' ? 'base' : 'claimed');
  const inCopy = (gates: readonly GateSpec[], phase: string) => gatesIn(effect, { gates, phase, where: { ...whereNow(), caches: cachesFor(phase) }, ports });
  const on = openCopiedFiles(checkout.top);
  const copy = await treeCopyIn(checkout, effect, ports.history);
  let setUp: Promise<readonly GateResult[]> | null = effect.isSetUp === false ? null : Promise.resolve([]);
  const isReady = (signal: AbortSignal) => {
    const install = async (gate: GateSpec) => {
      const [toRun] = inCopy([gate], 'setup');
      if (toRun === undefined) throw new Error('There is no setup to run.');
      return await runGate({ ...toRun, flakyRetries: 0 }, ports, signal);
    };
    const { below, files, restore } = copy;
    setUp ??= setUpCopy({ top: checkout.top, below, files, base: effect.base ?? files, command: ports.settings.setup, shared }, { run: install, restore });
    return setUp;
  };
  return {
    ...copy,
    isStandIn,
    async runAll(gates, signal) {
      const failed = await isReady(signal);
      const results = await inTurn(inCopy(gates, 'proof'), signal, (each) => runGate({ ...each, flakyRetries: LOOP_DEFAULTS.flakyRetries }, ports, signal));
      return results.every(({ green }) => green) ? results : [...failed, ...results];
    },
    async runBased(gates, signal) {
      await isReady(signal);
      copy.touchAll();
      return await inTurn(inCopy(gates, 'base'), signal, async (each) => {
        const result = await runGateOnce(each, ports, signal);
        return result.green || signal.aborted ? result : await runGateOnce(each, ports, signal);
      });
    },
    async renew() {
      await gitMust('make a copy of the work', () => checkout.renew());
      if (effect.isSetUp === false) setUp = null;
      shared = new Set(checkout.shared);
    },
    async runPlanted(gate, signal) {
      await isReady(signal);
      const [toRun] = inCopy([gate], 'planted');
      if (toRun === undefined) throw new Error('There is no gate to run.');
      return await runGateOnce({ ...toRun, folder: ports.place.runFolder, keepChars: MOST_OUTPUT }, ports, signal);
    },
    async runSealed(call, { drivers, from, logFile }, signal) {
      await isReady(signal);
      const where = whereNow();
      const below = join(relative(checkout.top, checkout.path), SEALED_FOLDER);
      on.remove(below);
      const isShown = canShow(ports.settings.wall);
      if (!isShown) for (const file of drivers) on.write(join(below, file.path), file);
      const sealed = isShown ? { sealed: { at: join(where.cwd, SEALED_FOLDER), from } } : {};
      const limits = { maxOutputBytes: MOST_OUTPUT, keepChars: MOST_OUTPUT, keep: 'end', digest: false } as const;
      const timeoutMs = timeLeft(call.timeoutMs, effect.until, ports.clock.nowMs());
      try {
        return await ports.command.run({ ...call, timeoutMs, ...where, ...sealed, ...limits, logFile, marker: attemptMarker(ports.place, effect) }, signal);
      } finally {
        on.remove(below);
      }
    },
    async [Symbol.asyncDispose]() {
      await caches[Symbol.asyncDispose]();
      await checkout[Symbol.asyncDispose]();
    },
  };
}

/** Whether only the process of a driver sees the drivers. If not, they are in the copy while it runs. */
function canShow({ mode, gates }: Ports['settings']['wall']): boolean {
  return mode === 'os' && gates === 'inside' && process.platform === 'linux';
}

/** After an abort it starts no further gate. */
async function inTurn(all: readonly GateToRun[], signal: AbortSignal, run: (each: GateToRun) => Promise<GateResult>): Promise<readonly GateResult[]> {
  const results: GateResult[] = [];
  for (const each of all) if (!signal.aborted) results.push(await run(each));
  return results;
}

/** Enough to find every planted word. */
export const MOST_OUTPUT = 8_000_000;

interface InCopy {
  readonly gates: readonly GateSpec[];
  readonly phase: string;
  readonly where: Pick<CommandRequest, 'cwd' | 'ownFolder' | 'caches'>;
  readonly ports: Ports;
}

function gatesIn({ key, iteration, attempt, tree, until }: Proving, { gates, phase, where, ports }: InCopy): readonly GateToRun[] {
  const effect: RunGates = {
    kind: 'run-gates',
    ...{ key, iteration, attempt, until, tree, phase, gates: [...gates] },
    where: 'clean',
    name_tree: false,
    keep_tree: false,
    protect: null,
  };
  const names = logNames(effect);
  const marker = attemptMarker(ports.place, effect);
  return gates.map((gate, index) => ({ gate, effect, ...where, logName: names[index] ?? '', marker }));
}

export const filesOf = (tree: string, history: GitHistory): Promise<Files> => gitMust('read the tree', () => history.filesIn(tree));

/** A tree, as needed to find its deciders. */
export interface TreeSight extends Repository {
  readonly files: Files;
}

export async function repositoryOf(tree: string | Files, history: GitHistory): Promise<TreeSight> {
  const files = typeof tree === 'string' ? await filesOf(tree, history) : tree;
  const texts = new Map<string, Promise<string | null>>();
  const read = async (path: string) => {
    const file = files.get(path);
    return isFile(file) ? textOf(await gitMust('read a file', () => history.bytesOf(file.id))) : null;
  };
  const linked = [...files].filter(([, { mode }]) => mode === '120000').slice(0, MOST_LINKS);
  const targetOf = async ({ id }: TreeFile) => textOf(await gitMust('read a link', () => history.bytesOf(id))) ?? '';
  return {
    files,
    paths: [...files.keys()],
    links: new Map(await Promise.all(linked.map(async ([path, file]) => [path, await targetOf(file)] as const))),
    async readAhead(paths) {
      const ids = new Map(paths.flatMap((path) => (texts.has(path) || !isFile(files.get(path)) ? [] : [[path, files.get(path)?.id ?? '']])));
      const bytes = await gitMust('read files', () => history.bytesOfAll([...new Set(ids.values())]));
      for (const [path, id] of ids) {
        const found = bytes.get(id);
        if (found !== undefined) texts.set(path, Promise.resolve(textOf(found)));
      }
    },
    read(path) {
      const text = texts.get(path) ?? read(path);
      texts.set(path, text);
      return text;
    },
  };
}

const isFile = (file: TreeFile | undefined): file is TreeFile => file !== undefined && file.mode !== '120000';

const MOST_READ_BYTES = 1024 * 1024;
const MOST_LINKS = 200;

function textOf(bytes: Uint8Array): string | null {
  if (bytes.length > MOST_READ_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
