import type { Ports } from '../../engine/ports/ports.ts';
import type { Prove } from '../../journal/effects/effect.ts';
import { touchedBy } from '../../workspace/isolated/landed.ts';
import { type Files, filesOf, repositoryOf, type TreeSight } from './proof-copy.ts';
import { changesBetween } from './prove-in.ts';

type Asked = Pick<Prove, 'base' | 'moved'>;

/** The tree that the run started with, plus what a person has committed since. */
export async function readBase({ base, moved }: Asked, { history, place, settings }: Ports): Promise<TreeSight> {
  const files = await filesOf(base, history);
  // If agents work in the operator's own repository, nobody can tell whose a commit is.
  if (moved === undefined || settings.wall.workspace !== 'isolated') return await repositoryOf(files, history);
  const [from, to] = await Promise.all([moved.from, moved.to].map((commit) => filesOf(commit, history).catch(() => null)));
  if (!from || !to) return await repositoryOf(files, history);
  return await repositoryOf(withCommits(files, { from, to, isTouched: await touchedBy(place.runFolder) }), history);
}

interface Moved {
  readonly from: Files;
  readonly to: Files;
  /** Whether an agent has changed it: then a commit does not tell whose version it is. */
  readonly isTouched: (path: string) => boolean;
}

/** Takes each path from HEAD that has changed there and that no agent has touched. */
function withCommits(base: Files, { from, to, isTouched }: Moved): Files {
  const files = new Map(base);
  for (const { path } of changesBetween(from, to)) {
    const file = to.get(path);
    if (isTouched(path)) continue;
    if (file === undefined) files.delete(path);
    else files.set(path, file);
  }
  // In git's order, like all lists of files.
  return new Map([...files].toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}
