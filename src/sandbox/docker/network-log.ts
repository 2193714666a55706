import * as z from 'zod';
import type { DockerCommands } from './docker-commands.ts';
import { networkLogArgs } from './docker-grammar.ts';

/** No page says how these look; this is what others have seen of sbx, and an example of `docker sandbox network log`. */
const Logged = z.looseObject({
  blocked_hosts: z.array(z.looseObject({ host: z.string() })).nullish(),
  entries: z.array(z.looseObject({ sandbox: z.string(), url: z.string().nullish(), host: z.string().nullish() })).nullish(),
});

export interface NetworkLog {
  /** The hosts that were refused since it was asked the last time, each once. Empty where the log cannot be read: it is only news. */
  refusedSince(): Promise<readonly string[]>;
}

export async function openNetworkLog(commands: DockerCommands, name: string): Promise<NetworkLog> {
  const read = async () => refusedIn((await commands.ask(networkLogArgs(commands.cli, name))).stdout, name);
  let told = await read();
  return {
    async refusedSince() {
      const now = await read();
      const fresh = [...now].filter(([line]) => !told.has(line)).map(([, host]) => host);
      told = now;
      return [...new Set(fresh)];
    },
  };
}

/** By the whole line, which has a count or a time in it, so that the same host is told again when it is tried again. */
function refusedIn(text: string, name: string): ReadonlyMap<string, string> {
  const logged = Logged.safeParse(jsonIn(text));
  if (!logged.success) return new Map();
  const blocked = (logged.data.blocked_hosts ?? []).map((row) => [JSON.stringify(row), row.host] as const);
  const denied = (logged.data.entries ?? [])
    .filter((row) => row.sandbox === name && Object.values(row).some((value) => value === 'denied' || value === 'blocked'))
    .map((row) => [JSON.stringify(row), row.host ?? row.url ?? 'a host'] as const);
  return new Map([...blocked, ...denied]);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return undefined;
  }
}
