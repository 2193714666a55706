// Deep: stories.test.ts has one story of the real agents.
import { describe, expect, it } from 'vitest';
import { say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { messages, openStoriesAgent } from '../support/stories-agent.ts';
import { standings, story } from '../support/stories-stage.ts';

const agents = expectRealAgents();

const { implement, approved } = messages('US-001');
const APPROVED = { 'US-001': ['approved', true, 1] };

describe.skipIf(agents.missing)('two different agents share a story:', () => {
  it.concurrent('the real claude implements it, and the real codex reviews it', async () => {
    await using crew = await openStoriesAgent(agents, { name: 'claude', stories: [story('US-001')] });
    const ended = await crew.work('--review-agent', 'codex');

    expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2 } });
    expect(crew.turns().map(({ agent, turn }) => `${agent}: ${turn}`)).toEqual(['claude: implement US-001', 'codex: review US-001']);
    expect(standings(crew.plan())).toEqual(APPROVED);
    expect(crew.subjects()).toEqual([implement, approved]);
  });

  it.concurrent('the real codex implements it, and the real claude reviews it, and is called again if it gives no verdict', async () => {
    const hesitates = [say('It looks good to me.')];
    await using crew = await openStoriesAgent(agents, { name: 'codex', stories: [story('US-001')], parts: { 'review US-001': [hesitates] } });
    const ended = await crew.work('--review-agent', 'claude');

    expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2 } });
    expect(crew.turns().map(({ agent, turn }) => `${agent}: ${turn}`)).toEqual(['codex: implement US-001', 'claude: review US-001', 'claude: review US-001']);
    expect(standings(crew.plan())).toEqual(APPROVED);
    expect(crew.subjects()).toEqual([implement, approved]);
  });
});
