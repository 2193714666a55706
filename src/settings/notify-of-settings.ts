import { parseDuration } from '../kit/pure/amounts.ts';
import { CHANNEL_NAMES, CHANNELS } from '../people/channels/channels.ts';
import { NOTIFY_DEFAULTS, type Notify } from './schema/notify-settings.ts';
import type { ChannelSpec, NotifySpec } from './schema/notify-spec.ts';

/** Who is told what, completed with defaults. Empty if nobody is told anything. */
export function notifyOf({ notify }: { readonly notify?: Notify | undefined }): { readonly notify?: NotifySpec } {
  const channels = channelsOf(notify ?? {});
  return channels.length === 0 ? {} : { notify: { intervalMs: parseDuration(notify?.interval ?? NOTIFY_DEFAULTS.interval) ?? 0, channels } };
}

function channelsOf(notify: Notify): ChannelSpec[] {
  return CHANNEL_NAMES.flatMap((channel) => {
    const { events = notify.events ?? NOTIFY_DEFAULTS.events, ...options } = notify[channel] ?? { events: [] };
    return events.length === 0 ? [] : [{ channel, events: [...events], options }];
  });
}

interface SecretPlaces {
  /** Names of environment variables. */
  readonly variables: readonly string[];
  /** Paths as the settings have them. */
  readonly files: readonly string[];
}

/** Where the secrets of all channels are, so that no agent gets to see them. */
export function secretPlaces(notify: Notify): SecretPlaces {
  const places = CHANNEL_NAMES.flatMap((name) => CHANNELS[name].secrets.map((key) => notify[name]?.[key])).filter((value) => typeof value === 'string');
  const after = (prefix: string) => places.filter((place) => place.startsWith(prefix)).map((place) => place.slice(prefix.length));
  return { variables: after('env:'), files: after('file:') };
}
