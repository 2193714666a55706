/** Nobody reads more of them, and somebody inside may make up as many as it likes. */
const MOST_TARGETS = 200;

/** Passes each text on once. */
export function tellOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text) || told.size >= MOST_TARGETS) return;
    told.add(text);
    tell(text);
  };
}
