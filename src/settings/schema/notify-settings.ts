import type * as z from 'zod';
import { NOTICE_EVENTS, type NoticeEvent } from '../../people/channels/channel.ts';
import { CHANNEL_NAMES, CHANNELS, type ChannelName } from '../../people/channels/channels.ts';
import { duration, group, listOf, oneOf } from '../kinds/setting.ts';

/** What is told unless somebody chooses: what a person has to act on, and the end of the run. */
export const NOTIFY_DEFAULTS = { events: ['needs_you', 'ended'] as readonly NoticeEvent[], interval: '5m' } as const;

const events = listOf(oneOf(NOTICE_EVENTS), 'a list of texts');
const ownEvents = events.describe('What this channel tells, instead of `notify.events`. An empty list turns it off.').optional();

type ChannelGroup = z.ZodOptional<z.ZodObject<{ events: typeof ownEvents }, z.core.$loose>>;

/** A group for each channel: its own options, and what it tells. */
const groups = Object.fromEntries(
  CHANNEL_NAMES.map((name) => [
    name,
    group({ events: ownEvents, ...CHANNELS[name].fields })
      .describe(CHANNELS[name].about)
      .optional(),
  ]),
) as unknown as Readonly<Record<ChannelName, ChannelGroup>>;

export const Notify = group({
  events: events
    .describe(
      'What is told: `needs_you`, something waits for a person; `ended`, the run has ended; `proven`, work is proven done; `failed`, a task or an agent failed; `budget`, 80 % of the money is spent; `limit`, a usage limit makes the run wait.',
    )
    .optional(),
  interval: duration
    .describe('The least time between two messages of a channel. What happens meanwhile is in the next one. The end of a run is always told at once.')
    .optional(),
  ...groups,
});
export type Notify = Readonly<z.infer<typeof Notify>>;
