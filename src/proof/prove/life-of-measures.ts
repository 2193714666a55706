import type { GateLife } from '../../journal/words/proof.ts';
import type { Plant } from '../canaries/plant.ts';
import { hasEnded, listed, living, type Question, runWith, token, unknown } from './planted-run.ts';

/** More would be slow, and one is enough to turn a gate red. */
const MOST_ALTERED = 100;

/**
 * For a gate that runs no tests and compares a program's output with files: it has to go red when these change. If a program writes or copies them, it stays
 * green. If that was already so at the start, the agent is not blamed.
 */
export async function lifeOfMeasures({ gate, copy, sight, before }: Question, signal: AbortSignal): Promise<GateLife> {
  const altered: Plant[] = [];
  for (const path of sight.compared.filter((each) => copy.files.has(each)).slice(0, MOST_ALTERED)) {
    const text = await copy.read(path);
    if (text !== null) altered.push({ path, text: `${text}${token()}\n`, tokens: [], cases: 0 });
  }
  if (altered.length === 0) return unknown(gate.command, 'has no test file yet that a failure could be planted in');
  const paths = altered.map(({ path }) => path);
  const result = await runWith(copy, gate, altered, signal);
  if (!hasEnded(result)) return unknown(gate.command, 'did not end by itself when what it compares with was altered');
  if (!result.green) return living(gate.command, paths, [], null);
  const life = unknown(gate.command, `stays green with other words in ${listed(paths)}`);
  return before === null ? life : { ...life, bent: paths };
}
