import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bash, ends, type Step, type Turn, turn } from './claude-script.ts';
import { nameAuthor } from './committing-stage.ts';
import type { RunningRalph } from './ralph.ts';
import { type EndedRun, journalOf, openStage, type Props, type Stage, WORK } from './stage.ts';

/** A stage whose loops get worktrees of their own. */
export interface WorktreeStage extends Stage {
  /** `ralph loop` with a task, the scripted claude, a check, `--worktree` and `--json`. */
  loop(...more: readonly string[]): Promise<EndedRun>;
  beginLoop(...more: readonly string[]): RunningRalph;
  /** The folder beside the repository, and the paths in it. */
  readonly root: string;
  worktrees(): readonly string[];
  /** What `ralph worktree list` says of each. */
  listed(): Promise<readonly Record<string, unknown>[]>;
}

export interface WorktreeProps extends Props {
  /** The group of that name in the settings. */
  readonly worktree?: object;
}

export const COMPLETE = 'All is done.\nCOMPLETE';

/** Turns the check green and says so. */
export const completes = (...before: readonly Step[]): Turn => turn(...before, bash(WORK), ...ends(COMPLETE));

export async function openWorktreeStage(script: readonly Turn[], { worktree = {}, ...props }: WorktreeProps = {}): Promise<WorktreeStage> {
  const stage = await openStage(script, { ...props, settings: { worktree, ...props.settings } });
  nameAuthor(stage.repo);
  const root = `${stage.repo.path}.ralph`;
  const words = (more: readonly string[]) => ['loop', 'Do the work.', '--agent', 'claude', '--check', 'sh check.sh', '--worktree', '--json', ...more];
  return {
    ...stage,
    root,
    beginLoop: (...more) => stage.begin(...words(more)),
    loop: (...more) => stage.ralph(...words(more)),
    worktrees: () => (existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : []),
    async listed() {
      const { stdout } = await stage.ralph('worktree', 'list', '--json');
      return JSON.parse(stdout).worktrees;
    },
  };
}

interface LoopStart {
  readonly cwd: string;
  readonly origin: string;
  readonly found: { readonly head: string; readonly tree: string };
  readonly settings: { readonly loop: { readonly worktree: { readonly path: string; readonly branch: string; readonly repository: string } } };
}

/** What a loop wrote down first, and the worktree it was given. */
export function startOf(run: EndedRun): LoopStart & LoopStart['settings']['loop']['worktree'] {
  const started = journalOf(run)[0] as unknown as LoopStart;
  return { ...started, ...started.settings.loop.worktree };
}
