/** What one target needs, and the lines that build it. */
export interface Recipe {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

interface Rules {
  readonly byName: ReadonlyMap<string, Recipe>;
  /** Pattern rules, such as `%.o`, in the order of the file. */
  readonly patterns: readonly (Recipe & { readonly target: string })[];
  readonly variables: ReadonlyMap<string, string>;
}

/** Target names may contain variables, and `.c.o` is the old form of `%.o: %.c`. */
export function rulesIn(recipes: ReadonlyMap<string, Recipe>, variables: ReadonlyMap<string, string>): Rules {
  const byName = new Map<string, Recipe>();
  const patterns: (Recipe & { readonly target: string })[] = [];
  for (const [heading, recipe] of recipes) {
    for (const target of wordsOf(heading, variables)) {
      const suffixes = /^(\.[\w-]+)(\.[\w-]+)$/.exec(target);
      if (suffixes !== null) patterns.push({ target: `%${suffixes[2]}`, needs: [`%${suffixes[1]}`], lines: recipe.lines });
      else if (target.includes('%')) patterns.push({ target, ...recipe });
      else byName.set(target, joined(byName.get(target), recipe));
    }
  }
  return { byName, patterns, variables };
}

const joined = (one: Recipe | undefined, other: Recipe): Recipe =>
  one === undefined ? other : { needs: [...one.needs, ...other.needs], lines: [...one.lines, ...other.lines] };

/** The rule that builds a target. Its own rule comes first; if that has no lines, a pattern provides them. Null if there is none. */
export function ruleFor(name: string, { byName, patterns, variables }: Rules): (Recipe & { readonly stem: string }) | null {
  const own = byName.get(name);
  const needsOf = (recipe: Recipe) => recipe.needs.flatMap((need) => wordsOf(need, variables));
  if (own !== undefined) {
    const fixed = staticPattern(name, needsOf(own));
    if (fixed !== null) return { ...fixed, lines: own.lines };
    if (own.lines.length > 0) return { needs: needsOf(own), lines: own.lines, stem: '' };
  }
  for (const { target, ...recipe } of patterns) {
    const stem = stemOf(name, target);
    if (stem === null) continue;
    const needs = needsOf(recipe).map((need) => need.replace('%', () => stem));
    return { needs: [...(own === undefined ? [] : needsOf(own)), ...needs], lines: recipe.lines, stem };
  }
  return own === undefined ? null : { needs: needsOf(own), lines: [], stem: '' };
}

/** `a.o b.o: %.o: %.c`: the first word of the prerequisites is the pattern of the targets. */
function staticPattern(name: string, needs: readonly string[]): Omit<Recipe & { readonly stem: string }, 'lines'> | null {
  const form = needs.find((need) => /%[^:]*:$/.test(need)) ?? '';
  const stem = form === '' ? null : stemOf(name, form.slice(0, -1));
  return stem === null ? null : { needs: needs.filter((need) => need !== form).map((need) => need.replace('%', () => stem)), stem };
}

/** What `%` stands for; null if the name does not match. */
function stemOf(name: string, pattern: string): string | null {
  const at = pattern.indexOf('%');
  const [before, behind] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (at === -1 || name.length <= before.length + behind.length || !name.startsWith(before) || !name.endsWith(behind)) return null;
  return name.slice(before.length, name.length - behind.length);
}

const wordsOf = (text: string, variables: ReadonlyMap<string, string>) =>
  expand(text, variables)
    .split(/\s+/)
    .filter((word) => word !== '');

interface Made {
  readonly name: string;
  readonly needs: readonly string[];
  readonly stem: string;
}

/** `$@` is the target, `$<` its first prerequisite, `$^` all of them, `$*` what `%` stood for. */
export function withAutomatic(line: string, { name, needs, stem }: Made): string {
  const all = needs.join(' ');
  const words: Readonly<Record<string, string>> = { '@': name, '<': needs[0] ?? '', '^': all, '?': all, '+': all, '*': stem };
  return line.replace(
    /(?<!\$)\$(?:([@<^?+*])|[({]([@<^?+*])[)}])/g,
    (_, sign: string | undefined, other: string | undefined) => words[sign ?? other ?? ''] ?? '',
  );
}

/** Expands `$(X)`, `${X}` and `{{X}}`, and functions that only rename files, a few levels deep; `$$` is a dollar of the shell. */
export function expand(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let turn = 0; turn < 5 && text.length < 10_000; turn += 1) {
    text = text.replace(/(?<!\$)\$[({]([^(){}$]+)[)}]|\{\{\s*(\w+)\s*\}\}/g, (all, inner: string | undefined, just: string | undefined) =>
      inner === undefined ? (variables.get(just ?? '') ?? all) : (expansionOf(inner, variables) ?? all),
    );
  }
  return text.replaceAll('$$', '$');
}

/** Null if it is unknown. */
function expansionOf(inner: string, variables: ReadonlyMap<string, string>): string | null {
  const [, name, from, to = ''] = /^(\w+)(?::([^=]*)=(.*))?$/.exec(inner) ?? [];
  if (name === undefined) return calledOf(inner);
  const value = variables.get(name) ?? null;
  if (value === null || from === undefined) return value;
  // Words can be renamed only once they are known: a list of files may itself be a call.
  const words = value.replace(/\$[({]([^(){}$]+)[)}]/g, (all, call: string) => calledOf(call) ?? variables.get(call) ?? all);
  return renamed(words, from.includes('%') ? from : `%${from}`, to.includes('%') ? to : `%${to}`);
}

const CALLS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  wildcard: (args) => args.join(','),
  sort: (args) => args.join(','),
  strip: (args) => args.join(','),
  patsubst: ([from = '', to = '', text = '']) => renamed(text, from, to),
  addprefix: ([prefix = '', text = '']) => renamed(text, '%', `${prefix}%`),
  addsuffix: ([suffix = '', text = '']) => renamed(text, '%', `%${suffix}`),
  basename: ([text = '']) => text.replace(/\.[^./\s]*(?=\s|$)/g, ''),
  notdir: ([text = '']) => text.replace(/\S*\//g, ''),
};

/** The result of a make function that lists or renames files. */
function calledOf(inner: string): string | null {
  const [, name = '', rest = ''] = /^([a-z]+)\s+(.*)$/s.exec(inner) ?? [];
  return CALLS[name]?.(rest.split(',').map((arg) => arg.trim())) ?? null;
}

/** Changes each word that matches one pattern to the other. */
function renamed(text: string, from: string, to: string): string {
  return text
    .split(/\s+/)
    .map((word) => {
      const stem = stemOf(word, from);
      return stem === null ? word : to.replace('%', () => stem);
    })
    .join(' ');
}
