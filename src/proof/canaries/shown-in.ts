import { type Plant, withoutColours } from './plant.ts';

/** The planted files that have shown that they run: at least one of their tokens is in the output. */
export function shownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.filter(({ tokens }) => tokens.some((token) => plain.includes(token))).map(({ path }) => path);
}

/**
 * The files that run but did not print all tokens: their assertion no longer fails, or the runner stopped at an earlier failure. If such a file printed all
 * of its tokens before, the assertion is the reason.
 */
export function halfShownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  const shown = new Set(shownIn(plain, plants));
  return plants.filter(({ path, tokens }) => shown.has(path) && !tokens.every((token) => plain.includes(token))).map(({ path }) => path);
}

/** How many planted cases ran: a runner must report that many more tests than without the plants. */
export function casesShown(output: string, plants: readonly Plant[]): number {
  const plain = withoutColours(output);
  const shown = plants.map(({ tokens, cases }) => Math.min(cases, tokens.filter((token) => plain.includes(token)).length));
  return shown.reduce((all, some) => all + some, 0);
}

/** The assertions that have reported that they could fail, as `path:key`. */
export function probesShown(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.flatMap(({ path, probes = [] }) => probes.filter(({ token }) => plain.includes(token)).map(({ key }) => `${path}:${key}`));
}
