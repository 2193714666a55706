interface Step {
  readonly name: string;
  readonly arrows: readonly string[];
  /** The arrow that is followed next. */
  at: number;
}

/**
 * Cycles of names, each beginning and ending with the same one; empty when there is none. No name is told in two cycles, so not every
 * cycle is told: without those that are, one may be left. An arrow from a name to itself counts for none. Linear in names and arrows, and
 * without recursion: a chain may be longer than the stack.
 */
export function findCycles(names: Iterable<string>, next: (name: string) => readonly string[]): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const path: Step[] = [];
  /** Where a name stands on the path; beyond any path for one that was left. */
  const places = new Map<string, number>();
  const enter = (name: string) => {
    places.set(name, path.length);
    path.push({ name, arrows: next(name), at: 0 });
  };
  const leave = (): string => {
    const name = path.pop()?.name ?? '';
    places.set(name, Number.POSITIVE_INFINITY);
    return name;
  };
  const leaveCycle = (begin: number) => {
    const cycle: string[] = [];
    while (path.length > begin) cycle.push(leave());
    cycles.push([...cycle.reverse(), cycle[0] ?? '']);
  };
  const follow = (to: string) => {
    const place = places.get(to);
    if (place === undefined) enter(to);
    else if (place < path.length - 1) leaveCycle(place);
  };
  const walk = () => {
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const to = step.arrows[step.at];
      step.at += 1;
      if (to === undefined) leave();
      else follow(to);
    }
  };
  for (const name of names) {
    if (places.has(name)) continue;
    enter(name);
    walk();
  }
  return cycles;
}
