import { shorten } from './excerpt.ts';

/** Which field of a tool's input tells most, and how much of it; the first that is there wins. */
type Telling = readonly (readonly [field: string, chars: number])[];

const PATH: Telling = [
  ['file_path', 80],
  ['path', 80],
  ['filePath', 80],
  ['absolute_path', 80],
  ['notebook_path', 80],
];
const COMMAND: Telling = [
  ['command', 60],
  ['cmd', 60],
  ['description', 60],
];
const PATTERN: Telling = [['pattern', 40]];
const TASK: Telling = [['description', 40]];
const WEB: Telling = [
  ['url', 50],
  ['query', 50],
];

const TELLING: ReadonlyMap<string, Telling> = new Map([
  ...['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map((name) => [name, PATH] as const),
  ...['read', 'write', 'edit', 'read_file', 'write_file', 'edit_file', 'create_file', 'replace'].map((name) => [name, PATH] as const),
  ...['Bash', 'bash', 'shell', 'run_command', 'run_shell_command'].map((name) => [name, COMMAND] as const),
  ...['Glob', 'Grep', 'glob', 'grep', 'search_file_content'].map((name) => [name, PATTERN] as const),
  ...['Task', 'Agent', 'task'].map((name) => [name, TASK] as const),
  ...['WebFetch', 'WebSearch', 'webfetch', 'search', 'google_web_search'].map((name) => [name, WEB] as const),
]);

/** What stands in the brackets after a tool's name (seed 001); nothing for a tool nobody knows. */
export function toolInput(name: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const [field, chars] of TELLING.get(name) ?? []) {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return shorten(value.trimStart(), chars);
  }
  return '';
}
