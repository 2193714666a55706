import { type Plant, withoutColours } from './plant.ts';

/** Which planted files have shown that they are run: at least one of their tokens is in the output. */
export function shownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.filter(({ tokens }) => tokens.some((token) => plain.includes(token))).map(({ path }) => path);
}

/**
 * Which of the files that are run have kept a token back: their assertion fails no more, or the runner stopped at a failure before it. Who has seen
 * such a file show all of its tokens before knows which.
 */
export function halfShownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  const shown = new Set(shownIn(plain, plants));
  return plants.filter(({ path, tokens }) => shown.has(path) && !tokens.every((token) => plain.includes(token))).map(({ path }) => path);
}

/** How many planted cases were run: so many more tests must a runner report than without the plants. */
export function casesShown(output: string, plants: readonly Plant[]): number {
  const plain = withoutColours(output);
  const shown = plants.map(({ tokens, cases }) => Math.min(cases, tokens.filter((token) => plain.includes(token)).length));
  return shown.reduce((all, some) => all + some, 0);
}

/** The assertions that have said that they could fail, as `path:key`. */
export function probesShown(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.flatMap(({ path, probes = [] }) => probes.filter(({ token }) => plain.includes(token)).map(({ key }) => `${path}:${key}`));
}
