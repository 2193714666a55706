import { readText } from '../../kit/files/read-text.ts';
import { pathOf } from '../../settings/sandbox-of-settings.ts';
import type { ChannelSpec, NotifySpec } from '../../settings/schema/notify-spec.ts';
import type { Channel } from '../channels/channel.ts';
import { channelNamed } from '../channels/channels.ts';

interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** Relative paths start there. */
  readonly cwd: string;
}

/** A channel with its secrets, ready to send. */
export interface ReadyChannel {
  readonly name: string;
  readonly events: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly channel: Channel;
}

export interface ReadyChannels {
  readonly ready: readonly ReadyChannel[];
  /** The channels that cannot be used, and why. */
  readonly missing: readonly { readonly name: string; readonly why: string }[];
  /** Must never be printed or written down. */
  readonly secrets: readonly string[];
}

/** Reads the secrets that the channels name. */
export async function readSecrets({ channels }: NotifySpec, place: Place): Promise<ReadyChannels> {
  const read = await Promise.all(channels.map((spec) => readyChannel(spec, place)));
  return {
    ready: read.flatMap((each) => ('options' in each ? [each] : [])),
    missing: read.flatMap((each) => ('why' in each ? [each] : [])),
    secrets: read.flatMap((each) => ('options' in each ? each.secrets : [])),
  };
}

type Read = (ReadyChannel & { readonly secrets: readonly string[] }) | { readonly name: string; readonly why: string };

async function readyChannel({ channel: name, events, options }: ChannelSpec, place: Place): Promise<Read> {
  const channel = channelNamed(name);
  if (channel === undefined) return { name, why: 'this Ralph has no such channel' };
  const complete = { ...options };
  const secrets: string[] = [];
  for (const key of channel.secrets) {
    const where = options[key];
    if (typeof where !== 'string' || !/^(?:env|file):/.test(where)) continue;
    const value = await secretAt(where, place);
    if (value === '') return { name, why: `there is no secret at ${where} (notify.${name}.${key})` };
    complete[key] = value;
    secrets.push(value, ...pathsIn(value));
  }
  return { name, events, options: complete, channel, secrets };
}

/** Many servers repeat the path that they were asked for: in an address it is the secret. */
function pathsIn(value: string): readonly string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, search } = new URL(value);
  return [`${pathname}${search}`, pathname].filter((path) => path.length >= SHORTEST_PATH);
}

/** Shorter ones contain no secret, and hiding them would make other texts unreadable. */
const SHORTEST_PATH = 12;

/** Empty if there is none. */
async function secretAt(where: string, { env, cwd }: Place): Promise<string> {
  if (where.startsWith('env:')) return (env[where.slice('env:'.length)] ?? '').trim();
  const read = await readText(pathOf(where.slice('file:'.length), cwd), 'refuse pipes');
  return read.kind === 'text' ? read.text.trim() : '';
}

/** The environment without the secrets of the channels, for everything that a run starts. */
export function withoutSecretVariables({ channels }: NotifySpec, env: Place['env']): Place['env'] {
  const named = new Set(
    channels
      .flatMap(({ channel, options }) => (channelNamed(channel)?.secrets ?? []).map((key) => String(options[key] ?? '')))
      .filter((where) => where.startsWith('env:')),
  );
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.has(`env:${name}`)));
}
