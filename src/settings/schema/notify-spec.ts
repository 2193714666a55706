import * as z from '../../kit/pure/shape.ts';

/** Who is told what. Journaled, so it names only where secrets are. */
export const NotifySpec = z.strictObject({
  /** The least time between two messages of a channel. */
  intervalMs: z.number().int().nonnegative(),
  channels: z.array(
    z.strictObject({
      /** A name in `src/people/channels/channels.ts`. */
      channel: z.string(),
      events: z.array(z.string()),
      /** As the settings have them; the channel's own schema checked them. */
      options: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type NotifySpec = Readonly<z.infer<typeof NotifySpec>>;
export type ChannelSpec = NotifySpec['channels'][number];
