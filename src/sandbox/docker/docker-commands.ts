import { setTimeout as sleep } from 'node:timers/promises';
import * as z from '../../kit/pure/shape.ts';
import { type Captured, capture } from '../../process/capture.ts';
import { type Args, type DockerCli, dockerFailed, listArgs, unavailable, type Variables } from './docker-grammar.ts';

/** The first `create` downloads an image. A start takes about ten seconds. */
export const CREATED_WITHIN_MS = 15 * 60_000;
const DONE_WITHIN_MS = 120_000;
const LISTED_WITHIN_MS = 30_000;

/** Sometimes `sbx ls` exits with 0 and prints nothing, so it is retried. */
const LIST_TRIES = 4;
const LIST_PAUSE_MS = 300;

interface HowToRun {
  readonly timeoutMs?: number;
  /** The file that the command reads on stdin. */
  readonly inputFile?: string;
}

/** Runs Docker's command line on the host. */
export interface DockerCommands {
  readonly cli: DockerCli;
  /** Never rejects. */
  ask(args: Args, how?: HowToRun): Promise<Captured>;
  /** Rejects with an OperatorError that quotes Docker when the command fails. */
  must(doing: string, args: Args, how?: HowToRun): Promise<string>;
  list(): Promise<readonly SandboxRow[]>;
}

export function openDockerCommands(cli: DockerCli, env: Variables, cwd: string): DockerCommands {
  const ask: DockerCommands['ask'] = (args, { timeoutMs = DONE_WITHIN_MS, inputFile } = {}) =>
    capture({ ...withInput({ file: cli.file, args }, inputFile), cwd, env, timeoutMs });
  return {
    cli,
    ask,
    async must(doing, args, how) {
      const said = await ask(args, how);
      if (said.code !== 0) throw dockerFailed(cli, doing, said);
      return said.stdout;
    },
    async list() {
      for (let tries = 1; tries <= LIST_TRIES; tries++) {
        const rows = parseList(await listed(cli, ask));
        if (rows !== null) return rows;
        await sleep(LIST_PAUSE_MS);
      }
      throw unavailable(`"${[cli.file, ...listArgs(cli)].join(' ')}" says nothing that can be read.`, 'Run it yourself; a newer version may be needed.');
    },
  };
}

/** Early versions of the plugin have no --json. */
async function listed(cli: DockerCli, ask: DockerCommands['ask']): Promise<string> {
  const said = await ask(listArgs(cli), { timeoutMs: LISTED_WITHIN_MS });
  if (said.code === 0) return said.stdout;
  const plain = /unknown flag/i.test(said.stderr) ? await ask(listArgs(cli, 'table'), { timeoutMs: LISTED_WITHIN_MS }) : said;
  if (plain.code !== 0) throw dockerFailed(cli, 'listing the sandboxes', plain);
  return plain.stdout;
}

/** Captured commands get no stdin, so a shell opens the file for the command. */
function withInput({ file, args }: { readonly file: string; readonly args: Args }, inputFile: string | undefined) {
  return inputFile === undefined ? { file, args } : { file: '/bin/sh', args: ['-c', 'exec "$@" <"$0"', inputFile, file, ...args] };
}

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
