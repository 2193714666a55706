import { resolve } from 'node:path';
import { countOf, currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { openScope, type Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { isLoopback } from '../server/access.ts';
import { exportRun } from './export-run.ts';
import { openBrowser } from './open-browser.ts';
import { servePage } from './serve-page.ts';

interface UiFlags {
  readonly port?: string;
  readonly host?: string;
  readonly open?: boolean;
  readonly readOnly?: boolean;
  readonly root?: string;
  readonly export?: string;
  /** True: the store that variables and settings name. */
  readonly store?: string | true;
}

const HOST = '127.0.0.1';

export async function uiCommand(
  wanted: string | null,
  { port, host = HOST, open = false, readOnly = false, root, export: file, store }: UiFlags,
): Promise<number> {
  const wantedPort = countOf('--port', port);
  const cwd = root === undefined ? currentDirectory() : resolve(currentDirectory(), root);
  if (file !== undefined) {
    if (store !== undefined)
      throw new OperatorError('usage', '--export writes one run, and --store shows whole fleets', { hint: 'Leave one of them out.', exitCode: 2 });
    await exportRun({ cwd, isRoot: root !== undefined, readOnly: true }, wanted, file);
    io().stderr.write(`Wrote ${file}\n`);
    return 0;
  }
  await using scope = openScope();
  const fleets = store === undefined ? undefined : await openFleets(store, scope);
  using signalled = untilSignalled();
  await using page = await servePage({ cwd, host, port: wantedPort, isRoot: root !== undefined, readOnly, ...fleets }, signalled.signal);
  if (!isLoopback(host)) io().stderr.write(`WARNING: ${OPEN_TO_OTHERS}\n`);
  io().stdout.write(`Mission control: ${page.address}\n`);
  if (open) openBrowser(page.address, cwd);
  await untilAborted(signalled.signal);
  return signalled.exitCode();
}

async function openFleets(store: string | true, scope: Scope) {
  const { look, database } = await (await import('../../fleet/command/fleet-here.ts')).openShownStore(store, scope);
  const { folders } = await (await import('../../fleet/run-copies.ts')).openRunCopies(database, scope);
  return { fleets: look, copies: folders };
}

const OPEN_TO_OTHERS =
  'other machines can reach this page. Whoever has its address can read everything here and steer your runs, and the connection is not encrypted. Without --host, only this machine can reach it.';

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
}
