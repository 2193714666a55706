import type { Channel } from './channel.ts';
import { command } from './command.ts';
import { desktop } from './desktop.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

/** Every way to tell a person, by its name in the settings. A new one is one more line. */
export const CHANNELS = { desktop, command, webhook, slack, telegram, ntfy, email } as const satisfies Readonly<Record<string, Channel>>;

export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES = Object.keys(CHANNELS) as readonly ChannelName[];

/** Undefined for a name that a later version has written. */
export function channelNamed(name: string): Channel | undefined {
  return CHANNEL_NAMES.includes(name as ChannelName) ? CHANNELS[name as ChannelName] : undefined;
}
