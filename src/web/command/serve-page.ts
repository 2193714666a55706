import { randomBytes } from 'node:crypto';
import { whoIsThere } from '../../process/io.ts';
import { carryOut } from '../../watch/command/carry-out.ts';
import { openApp } from '../server/app.ts';
import { readAsset } from '../server/assets.ts';
import { listen } from '../server/listen.ts';
import { openPageParts, type PagePlace } from './page-parts.ts';

interface PageOptions extends PagePlace {
  readonly host: string;
  /** Null: the usual one, or any that is free. */
  readonly port: number | null;
  /** The run that is shown first; absent: the newest. */
  readonly run?: string;
}

/** A page that is served until it is disposed. */
export interface ServedPage extends AsyncDisposable {
  /** With the key to the page. */
  readonly address: string;
}

export async function servePage({ host, port, run, ...place }: PageOptions, signal: AbortSignal): Promise<ServedPage> {
  const token = randomBytes(24).toString('base64url');
  const by = `${whoIsThere()} with ralph ui`;
  const { project, toJson, patchOf } = openPageParts(place);
  let listening = 0;
  const app = openApp({
    access: { token, host, port: () => listening },
    ...{ project, toJson, patchOf, asset: readAsset, signal },
    act: place.readOnly ? null : (action, cwd) => carryOut(action, { cwd, by }),
  });
  const server = await listen(app.fetch, host, port);
  listening = server.port;
  const name = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host;
  return {
    address: `http://${name}:${server.port}/?token=${token}${run === undefined ? '' : `#run=${run}`}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}
