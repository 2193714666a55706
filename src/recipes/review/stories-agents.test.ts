import { describe, expect, it } from 'vitest';
import { type PlayedStories, playStories, type StoryAct } from '../../../test/support/pretend-stories.ts';
import { storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';

const spec = (command: string) => ({ kind: 'command', command, flags: [], model: null, autonomy: 'full' as const });
const settings = storiesSettings({}, { agent: spec('claude'), fallback: [spec('codex')] });
const world = () => ({ text: JSON.stringify({ ...storyPlan(story('US-001'), story('US-002', { priority: 2 })), verifyCommands: ['make test'] }) });
const asked = ({ events }: PlayedStories) =>
  events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [`${body.effect.role} by ${body.effect.agent}`] : []));
const play = (act: (effect: RunAgent, nth: number) => StoryAct = () => ({}), over = settings) => playStories({ settings: over, world: world(), act });
const limited = (resetsAtMs: number): StoryAct => ({ ended: { verdict: 'limited', limit_resets_at: resetsAtMs, limit_window: 'five_hour' } });
const broken: StoryAct = { ended: { verdict: 'fatal', why: 'not logged in', exit_code_if_fatal: 4 } };

describe('stories with several agents', () => {
  it('are never reviewed by their author', () => {
    const played = play();
    expect(asked(played)).toEqual(['work by claude', 'review by codex', 'work by claude', 'review by codex']);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed' });
  });

  it('are reviewed by the first agent when the other has taken over the work', () => {
    const played = play((_, nth) => (nth === 1 ? limited(3_600_000) : {}));
    expect(asked(played).slice(0, 3)).toEqual(['work by claude', 'work by codex', 'review by claude']);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed' });
  });

  it('wait for the other reviewer while it is limited', () => {
    const played = play((effect, nth) => (effect.role === 'review' && nth === 2 ? limited(3_600_000) : {}));
    expect(asked(played).slice(0, 3)).toEqual(['work by claude', 'review by codex', 'review by codex']);
  });

  it('are reviewed by their author once no other agent can work', () => {
    const played = play((effect) => (effect.agent === 'codex' ? broken : {}));
    expect(asked(played)).toEqual(['work by claude', 'review by codex', 'review by claude', 'work by claude', 'review by claude']);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed' });
  });

  it('are reviewed by the agent that the operator names for it', () => {
    const reviewed = storiesSettings({ reviewAgent: spec('gemini') }, { agent: spec('claude'), fallback: [spec('codex')] });
    expect(asked(play(() => ({}), reviewed)).slice(0, 2)).toEqual(['work by claude', 'review by undefined']);
  });
});
