import { setTimeout as sleep } from 'node:timers/promises';
import { type Captured, capture } from '../../process/capture.ts';
import type { DockerCli, Variables } from './docker-cli.ts';
import { type Args, listArgs } from './docker-grammar.ts';
import { dockerFailed, unavailable } from './docker-sandbox-options.ts';
import { parseList, type SandboxRow } from './parse-list.ts';

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
