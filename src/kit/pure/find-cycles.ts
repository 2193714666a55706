interface Step {
  readonly name: string;
  readonly arrows: readonly string[];
  /** The index of the arrow to follow next. */
  at: number;
}

/**
 * Cycles of names, each beginning and ending with the same name; empty if there is none. No name is in two reported cycles, so not every
 * cycle is reported: after those are fixed, others may be left. Ignores an arrow from a name to itself. Linear in names and arrows, and
 * not recursive, because a chain may be longer than the stack.
 */
export function findCycles(names: Iterable<string>, next: (name: string) => readonly string[]): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const path: Step[] = [];
  /** The position of a name on the current path; infinite for a finished name. */
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
