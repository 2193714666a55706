import type { EffectHandler } from '../../engine/contracts.ts';
import { stopIfDiskIsFull } from '../../engine/disk-full.ts';
import type { MadeCommit } from '../../engine/ports/git.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { Commit, RevertPaths, RunCommand } from '../../journal/effects/effect.ts';
import type { PathsRestored } from '../../journal/events/gates.ts';
import type { CommandEnded, CommitMade, CommitRefused } from '../../journal/events/scm.ts';
import { oneLine, slug } from '../../kit/pure/text.ts';
import { errorLineIn } from '../../process/error-line.ts';
import { wordsIn } from '../../settings/schema/scm-words.ts';
import { gitMust, keptRef, scmLog, scmMarker } from './scm-place.ts';

/** Makes one commit of the tree that the gates saw, with the operator's own hooks and identity. */
export const commit: EffectHandler<Commit> = {
  async perform(effect, ports, _report, signal) {
    const answer = await ports.git.commit({ ...wishOf(effect, ports), logFile: await scmLog(ports.place, effect, 'commit') }, signal);
    if (answer.kind === 'made') return made(effect, answer, [...answer.leftOut, ...(effect.changed_dirt ?? []).map(saidOfDirt)]);
    return { ...refused(effect, answer.kind, answer.detail), tree: await ports.git.tree() };
  },

  /** Looks in the history for the commit. */
  async find(effect, ports) {
    const found = await ports.git.findCommit(wishOf(effect, ports));
    if (found === null) return null;
    // No gate has seen what was committed on top of it since.
    const sight = await ports.git.look();
    return made(effect, { commit: found.commit, tree: sight?.head === found.commit ? found.tree : (sight?.headTree ?? '') }, []);
  },
};

const saidOfDirt = (path: string) => oneLine(`${path}: it was dirty before the start, and an agent has changed it since`);

function wishOf(effect: Commit, { settings: { scm }, place }: Ports) {
  const { parent, message, flags, tree, tree_after, judged } = effect;
  return {
    git: wordsIn(scm?.command ?? 'git'),
    flags,
    parent,
    message,
    tree,
    treeAfter: tree_after,
    ...(judged !== undefined && { judged }),
    marker: scmMarker(place, effect),
    timeoutMs: scm?.timeoutMs ?? 0,
  };
}

function made({ key, iteration, message }: Commit, { commit: id, tree }: MadeCommit, leftOut: readonly string[]): CommitMade {
  return { type: 'commit.made', key, iteration, commit: id, tree, message, left_out: [...leftOut] };
}

function refused({ key, iteration }: Commit, reason: CommitRefused['reason'], detail: string): CommitRefused {
  return { type: 'commit.refused', key, iteration, reason, detail, tree: null };
}

/** How much of the end of the output is kept to find the most informative line. */
const KEEP_CHARS = 100_000;

/** Runs a push, or any other command of the SCM: a list of words, never a shell. */
export const runCommand: EffectHandler<RunCommand> = {
  async perform(effect, ports, _report, signal) {
    const { place, settings } = ports;
    const logFile = await scmLog(place, effect, slug(effect.argv.slice(0, 3).join(' ')));
    const { ending, output, durationMs } = await ports.command.run(
      {
        command: effect.argv,
        cwd: place.workspace,
        marker: scmMarker(place, effect),
        logFile,
        timeoutMs: settings.scm?.timeoutMs ?? 0,
        maxOutputBytes: settings.limits.outputBytes,
        keepChars: KEEP_CHARS,
        keep: 'end',
        digest: false,
      },
      signal,
    );
    await stopIfDiskIsFull(ending, place.runFolder);
    return {
      ...ended(effect, { kind: 'lost' }),
      ending,
      last_line: errorLineIn(output) ?? '',
      log: logFile,
      duration_ms: Math.round(durationMs),
      tree: effect.repeatable ? null : await ports.git.tree(),
    };
  },

  /** A push can be repeated. Any other command might do harm the second time, so it is reported and not repeated. */
  async find(effect) {
    return effect.repeatable ? null : { ...ended(effect, { kind: 'lost' }), last_line: 'the loop died while it ran: look yourself what came of it' };
  },
};

function ended({ key, iteration, argv }: RunCommand, ending: CommandEnded['ending']): CommandEnded {
  return { type: 'command.ended', key, iteration, argv, ending, last_line: '', log: '', duration_ms: 0, tree: null };
}

/** The event lists at most this many; the kept ref has all of them. */
const MOST_PATHS = 1000;

/** Reverts changes to protected paths. It is safe to repeat: a reverted path stays as it is. */
export const revertPaths: EffectHandler<RevertPaths> = {
  async perform(effect, ports) {
    const ref = refOf(effect, ports);
    const paths = await putAllBack(effect, ports, ref);
    return restored(effect, paths, paths.length === 0 ? null : ref);
  },

  /** A loop may have reverted everything and died before it recorded that. The kept ref shows it, so that the agent's change is still reported. */
  async find(effect, ports) {
    const ref = refOf(effect, ports);
    const before = await ports.history.revertedPaths(effect.tree, effect.protect, ref);
    if (before.length === 0) return null;
    const rest = await putAllBack(effect, ports, ref);
    return restored(effect, [...new Set([...before, ...rest])].sort(), ref);
  },
};

function putAllBack({ tree, protect }: RevertPaths, { history }: Ports, ref: string): Promise<readonly string[]> {
  return gitMust('put back what is protected', () => history.revert(tree, protect, ref));
}

const refOf = ({ iteration, attempt }: RevertPaths, { place }: Ports) => keptRef(place, `${iteration}.${attempt}`);

function restored({ key, iteration, attempt }: RevertPaths, paths: readonly string[], kept: string | null): PathsRestored {
  return { type: 'paths.restored', key, iteration, attempt, paths: paths.slice(0, MOST_PATHS), kept };
}
