import { formatDuration } from '../../kit/pure/duration.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunLimits } from '../../settings/schema/run-settings.ts';
import { shorten } from './excerpt.ts';
import { blank, type Line, prose, span } from './line.ts';

type Asked = Extract<EventBody, { type: 'operator.asked' }>;

/** What the operator wants, what happens now, and how to have it faster. */
export function leavingLines({ what, by }: Asked, graceMs: RunLimits['graceMs'] | null): readonly Line[] {
  if (what === 'pause') return [blank, prose(span(`Paused by ${shorten(by, 40)}: what runs goes on, nothing new is started.`, 'strong'))];
  if (what === 'go-on') return [blank, prose(span(`Going on, asked by ${shorten(by, 40)}.`, 'strong'))];
  if (what === 'abort') return [blank, prose(span('Stopping now.', 'strong'))];
  if (!by.startsWith('SIG')) return [blank, prose(span(`Asked by ${shorten(by, 40)}, shutting down...`, 'strong'))];
  const grace = graceMs && (by === 'SIGINT' ? graceMs.sigint : graceMs.sigterm);
  const within = grace ? ` within ${formatDuration(grace)}` : '';
  return [
    blank,
    prose(span('Received signal, shutting down...', 'strong')),
    prose(span(`What runs may finish${within}. A second ${by === 'SIGINT' ? 'Ctrl-C' : 'signal'} stops it now.`, 'dim')),
  ];
}
