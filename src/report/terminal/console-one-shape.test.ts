import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../../test/docs/project-files.ts';
import { given } from '../../../test/support/given.ts';
import { allPassed, loopStarted } from '../../../test/support/loop-journal.ts';
import { play, SCREENS, started } from '../../../test/support/play-on-console.ts';
import { agentBegun, opened } from '../../../test/support/run-events.ts';
import { onStories } from '../../../test/support/stories-console.ts';
import { seen, turnAgentBegun, turnBegun } from '../../../test/support/stories-journal.ts';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import { superviseSpec } from '../../../test/support/supervise-spec.ts';
import { working } from '../../../test/support/work-console.ts';
import { begun } from '../../../test/support/work-journal.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { notDone, type Outcome } from '../../journal/words/outcome.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { openStatusFeed } from '../console/status-feed.ts';
import { runView } from '../views/run-view.ts';

const supervise = superviseSpec({});
const plain = [opened(1), agentBegun(1)];
const one = story('US-001');
/** How a run of each recipe starts, and its first iteration. */
const RECIPES: readonly (readonly [RunSettings['recipe'], EventBody, readonly EventBody[]])[] = [
  ['run', started(), plain],
  ['loop', loopStarted({}, { maximumIterations: 10 }), plain],
  ['work', working(), begun(1, 'T-1')],
  [
    'stories',
    onStories({}, { maximumIterations: 10 }),
    [seen(storyPlan(one)), opened(1), turnBegun(1, 'implement', 'US-001'), turnAgentBegun(1, 'implement', one)],
  ],
  ['supervise', started({ recipe: 'supervise', supervise }), plain],
  ['job', started({ recipe: 'job', supervise }), plain],
];

const WARNING = '[ralph] WARNING: ';
const labelsIn = (screen: string) => [...screen.matchAll(/^ {2}(\S(?: ?\S)*) {2,}\S/gm)].map(([, label]) => label);
const stoppedWith = (outcome: Outcome): EventBody => ({ type: 'run.stopped', outcome });

const deviations = readFileSync(join(projectRoot, 'docs/deviations.md'), 'utf8');

/** The first lines of an iteration and the status line, as docs/deviations.md has them; undefined: none. */
function toldOf(recipe: string): readonly (string | undefined)[] {
  const [, heading = '', status = ''] = new RegExp(`^\\| \`${recipe}\`(?: \\(\\d+\\))? \\| (.*) \\| (.*) \\|$`, 'm').exec(deviations) ?? [];
  return [heading, status].map((cell) => /^`(.+)`$/.exec(cell)?.[1]);
}

function statusLine(recipe: RunSettings['recipe'], bodies: readonly EventBody[]): { readonly text: string; readonly state: RunState } {
  const feed = openStatusFeed(SCREENS[recipe].status);
  let state: RunState = emptyState;
  for (const event of given(...bodies)) {
    state = evolve(state, event);
    feed.hear(event, state);
  }
  const spans = feed.line(60_000)?.spans ?? [];
  return { text: spans.map(({ text }) => text).join(''), state };
}

const KEYS = Object.keys(runView(statusLine('run', [started()]).state, 0));

describe.each(RECIPES)('the screen of ralph %s', (recipe, start, iteration) => {
  it('has the heading, the status line and the result that docs/deviations.md tells', () => {
    const [heading, status] = toldOf(recipe);
    expect(status, `docs/deviations.md says nothing of ${recipe}`).toBeDefined();
    const shown = play([start, ...iteration])
      .slice(play([start]).length)
      .split('\n')
      .map((line) => line.trim());
    if (heading === undefined) expect(shown.join('\n')).not.toMatch(/iteration|attempt|task:/i);
    else
      expect(
        shown.some((line) => line === heading || line.startsWith(`${heading}  `)),
        shown.join('\n'),
      ).toBe(true);
    const now = statusLine(recipe, [start, ...iteration]);
    expect(now.text.replace(/ · \d+s$/, '')).toBe(status);
    expect(Object.keys(runView(now.state, 0))).toEqual(KEYS);
  });

  it('begins with one title and the same six rows; all else is a warning', () => {
    const lines = play([start]).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Ralph \S+ {2}run \S+(?:, .+)?$/);
    // Nothing but the files that get into the first commit, and the line that a run on a plan begins with.
    const rest = lines.slice(1).filter((line) => !line.startsWith(WARNING) && !line.startsWith('  workspace ') && !line.endsWith('Starting Ralph Loop...'));
    expect(labelsIn(rest.join('\n'))).toEqual(['agent', 'sandbox', 'checks', 'done when', 'limits', 'budget']);
    expect(rest).toHaveLength(6);
  });

  it('shows the other settings with --verbose', () => {
    expect(labelsIn(play([start], { verbose: true }))).toEqual(expect.arrayContaining(['autonomy', 'workspace']));
  });

  it.each([
    ['well', stoppedWith({ ...allPassed, claim: null })],
    ['badly', stoppedWith(notDone('timeout', 'Out of time'))],
  ])('ends %s with the same rows, to which a recipe adds its own', (_how, stop) => {
    const end = play([start, stop]).slice(play([start]).length);
    const labels = labelsIn(end);
    expect(labels[0]).toBe('outcome');
    expect(labels).toEqual(expect.arrayContaining(['outcome', 'took', 'spent']));
    expect(end).not.toMatch(/Ralph Loop|Summary|Outcome:|Reason:/);
  });

  it('says check for what decides', () => {
    expect(play([start, stoppedWith(notDone('timeout', 'Out of time'))])).not.toMatch(/guardrail|\bgates?\b/i);
  });
});
