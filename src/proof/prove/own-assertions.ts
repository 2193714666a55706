import type { GateLife } from '../../journal/words/proof.ts';
import type { Bed, Plant } from '../canaries/plant.ts';
import { probesAlone } from '../canaries/plants-for.ts';
import { probesShown } from '../canaries/shown-in.ts';
import { LONG_MS, type Question, runWith, type Seen, token } from './planted-run.ts';

const MOST_OWN = 2_000;
export const withOwn = (life: GateLife, own: readonly string[]): GateLife => (own.length === 0 ? life : { ...life, own: own.slice(0, MOST_OWN) });

/** The assertions that report that they could fail. A planted throw may end a home-made runner before it runs its specs, so it runs again without one. */
export async function askedIn(question: Question, { plants, result }: Seen, signal: AbortSignal): Promise<readonly string[]> {
  const shown = probesShown(result.output, plants);
  if (question.sight.specs.length === 0 || result.duration_ms > LONG_MS || signal.aborted) return shown;
  return [...new Set([...shown, ...(await askAlone(question, plants, signal))])];
}

async function askAlone({ gate, copy, sight }: Question, plants: readonly Plant[], signal: AbortSignal): Promise<readonly string[]> {
  const beds: Bed[] = [];
  for (const { path, probes = [] } of plants) {
    const text = probes.length === 0 ? null : await copy.read(path);
    if (text !== null) beds.push({ path, text, runners: sight.runners, token });
  }
  const asking = probesAlone(beds);
  return asking.length === 0 ? [] : probesShown((await runWith(copy, gate, asking, signal)).output, asking);
}

/** An assertion that could fail at the start must still be able to fail, unless it is gone. It is probed again before anybody is blamed. */
export async function unlessBent(life: GateLife, question: Question, seen: Seen, signal: AbortSignal): Promise<GateLife> {
  const wanted = new Set(question.before?.own ?? []);
  const there = seen.plants.flatMap(({ path, probes = [] }) => probes.map(({ key }) => `${path}:${key}`)).filter((each) => wanted.has(each));
  if (there.length === 0) return life;
  const shown = new Set(await askedIn(question, seen, signal));
  if (signal.aborted) return life;
  const again = there.every((each) => shown.has(each)) ? [] : await askAlone(question, seen.plants, signal);
  for (const each of again) shown.add(each);
  const bent = [...new Set(there.filter((each) => !shown.has(each)).map((each) => each.slice(0, each.lastIndexOf(':'))))];
  return withOwn(bent.length === 0 || signal.aborted ? life : { ...life, bent }, [...shown]);
}
