import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import type { Ports, StoryPorts } from '../../../engine/ports/ports.ts';

/** Effects on stories are decided only where there are any. */
export function storiesOf({ stories }: Pick<Ports, 'stories'>): StoryPorts {
  if (stories === null) throw new Error('This run has no stories.');
  return stories;
}

/** How they are worked on. */
export function storiesSpecOf({ settings }: Pick<Ports, 'settings'>): StoriesSpec {
  if (settings.stories === null) throw new Error('This run has no stories.');
  return settings.stories;
}
