/** The result for a mixed file: the base's part of it with the claimed rest. */
export interface Split {
  /** The differences, each in a few words. */
  readonly why: readonly string[];
  readonly text: string;
}

/** Before and after; null if the file did not exist. */
export interface Texts {
  readonly base: string | null;
  readonly claimed: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The claimed package.json (or composer.json) with the base's version of those keys that the gate obeys; null if they are the same. Scripts are handled one
 * by one: an old one is the base's, a new one is the agent's, unless npm would run it before or after another.
 */
export function splitManifest({ base, claimed }: Texts, name: string, keys: ReadonlySet<string>): Split | 'unreadable' | null {
  const before = base === null ? {} : objectIn(base);
  const after = objectIn(claimed);
  if (before === null || after === null) return 'unreadable';
  const why: string[] = [];
  const result = new Map(Object.entries(after));
  for (const key of keys) {
    const wanted = key === 'scripts' ? splitScripts(before, after, { name, why }) : before[key];
    if (canonical(wanted) === canonical(after[key])) continue;
    if (key !== 'scripts') why.push(`"${key}" in ${name} changed`);
    result.set(key, wanted);
  }
  return why.length === 0 ? null : { why, text: printed(result, claimed) };
}

/** Keeps the format of the claimed file. A key without a value is left out. */
function printed(result: ReadonlyMap<string, unknown>, claimed: string): string {
  const text = JSON.stringify(Object.fromEntries(result), null, indentOf(claimed)) + (claimed.endsWith('\n') ? '\n' : '');
  return claimed.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

const LIFECYCLE = ['install', 'uninstall', 'publish', 'pack', 'prepare', 'version', 'test', 'start', 'stop', 'restart', 'run'];

function splitScripts(before: Json, after: Json, { name: file, why }: { readonly name: string; readonly why: string[] }): Json | undefined {
  const old = recordOf(before['scripts']);
  const now = recordOf(after['scripts']);
  const names = new Set([...Object.keys(old), ...Object.keys(now), ...LIFECYCLE]);
  const isHook = (name: string) => names.has(name.replace(/^(?:pre|post)/, '')) && /^(?:pre|post)/.test(name);
  const added = Object.entries(now).filter(([name]) => !Object.hasOwn(old, name));
  const hooks = added.filter(([name]) => isHook(name)).map(([name]) => name);
  if (Object.entries(old).some(([name, line]) => canonical(now[name]) !== canonical(line))) why.push(`the scripts of ${file} changed`);
  for (const name of hooks) why.push(`${file} has a new ${name} script`);
  if (after['scripts'] === undefined && before['scripts'] === undefined) return undefined;
  const kept = Object.entries(now).filter(([name]) => !hooks.includes(name));
  return Object.fromEntries([...kept.map(([name, line]) => [name, Object.hasOwn(old, name) ? old[name] : line] as const), ...Object.entries(old)]);
}

function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** The order of keys does not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))) : inner,
  );
}

/** The indentation of the file; two spaces if it has none. */
const indentOf = (text: string) => /^\{\r?\n([ \t]{1,8})"/.exec(text)?.[1] ?? 2;
