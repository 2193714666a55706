const IMPORTED = /\b(?:import|const|let|var)\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*(?:from\b|=)/g;
const WHOLE_RUNNER =
  /\b(?:import|const|let|var)\s+(?:\*\s*as\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\}\s*)?(?:from|=\s*require\s*\(|=\s*await\s+import\s*\()\s*['"](?:node:test|ava|vitest|bun:test|mocha)['"]/g;

/** The names with which this file declares its cases; those that it calls with a title come first. */
export function testCalls(text: string): readonly string[] {
  const wholes = [...text.matchAll(WHOLE_RUNNER)].map(([, name = '']) => name);
  const members = wholes.flatMap((name) => [name, `${name}.test`, `${name}.it`]);
  const names = ['it', 'test', 'specify', 'Deno.test', ...aliasesOf(text, 'it|test|specify'), ...members];
  const titled = names.filter((name) => calledBy(name, '\\s*\\(\\s*[\'"`]').test(text));
  const called = names.filter((name) => calledBy(name, '\\s*[(`]').test(text));
  return [...new Set([...titled, ...called])];
}

const calledBy = (name: string, then: string) => new RegExp(`(?:^|[^.\\w$])${name.replace(/[.$]/g, '\\$&')}(?:\\.\\w+)*${then}`, 'm');

/** `import { test as t }`, `const { test: t } = require(…)`. */
export function aliasesOf(text: string, names: string): readonly string[] {
  const alias = new RegExp(`\\b(?:${names})\\s*(?::|\\bas\\b)\\s*([\\w$]+)`, 'g');
  return [...text.matchAll(IMPORTED)].flatMap(([, clause = '']) => [...clause.matchAll(alias)].map(([, name = '']) => name));
}
