import * as z from '../../kit/pure/shape.ts';

/** One sandbox in the output of `ls`. */
export interface SandboxRow {
  readonly name: string;
  /** Null when the output does not contain it. */
  readonly status: string | null;
  /** The folders the sandbox was created with, its own first; null when the output does not contain them. */
  readonly workspaces: readonly string[] | null;
}

const Row = z.looseObject({
  name: z.string(),
  status: z.string().nullish(),
  workspaces: z.array(z.string()).nullish(),
  workspace: z.string().nullish(),
});
const Rows = z.array(Row).nullish();
const Listed = z.union([z.array(Row), z.looseObject({ sandboxes: Rows, vms: Rows })]);

/**
 * Parses the output of `ls` in every format used until 2026-11: an array, `{"vms": []}` or `{"sandboxes": []}`, each perhaps after lines about a daemon that
 * was started; or a table. Null when it is none of these, which does not mean that there are no sandboxes.
 */
export function parseList(text: string): readonly SandboxRow[] | null {
  const json = jsonIn(text);
  return json === undefined ? tableIn(text) : rowsOf(json);
}

/** The daemon's lines come first, so the JSON begins at the start of some line and goes on to the end. */
function jsonIn(text: string): unknown {
  for (const { index } of text.matchAll(/^[ \t]*[[{]/gm)) {
    try {
      return JSON.parse(text.slice(index));
    } catch {
      // That line looked like JSON but is not; try the next.
    }
  }
  return undefined;
}

function rowsOf(json: unknown): readonly SandboxRow[] | null {
  const { data, success } = Listed.safeParse(json);
  if (!success) return null;
  const rows = Array.isArray(data) ? data : [...(data.sandboxes ?? []), ...(data.vms ?? [])];
  return rows.map(({ name, status, workspaces, workspace }) => ({
    name,
    status: status ?? null,
    workspaces: workspaces ?? (workspace ? [workspace] : null),
  }));
}

/** Columns begin where their titles do. The table cuts workspaces short, so they count as unknown. */
function tableIn(text: string): readonly SandboxRow[] | null {
  if (/^no (sandboxes|vms)\b/im.test(text)) return [];
  const lines = text.split('\n');
  const head = lines.findIndex((line) => /\bSTATUS\b/.test(line) && /\b(NAME|SANDBOX)\b/.test(line));
  const titles = lines[head];
  if (titles === undefined) return null;
  const nameAt = titles.search(/\bNAME\b/) >= 0 ? titles.search(/\bNAME\b/) : titles.search(/\bSANDBOX\b/);
  const statusAt = titles.search(/\bSTATUS\b/);
  const wordAt = (line: string, column: number) => line.slice(column).split(/\s/, 1)[0] ?? '';
  return lines
    .slice(head + 1)
    .filter((line) => wordAt(line, nameAt) !== '')
    .map((line) => ({ name: wordAt(line, nameAt), status: wordAt(line, statusAt) || null, workspaces: null }));
}
