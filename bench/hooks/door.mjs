// Answers hooks like a loop on one story: node bench/hooks/door.mjs <socket> <project>. Ends with its parent.

import { openDoor } from '../../.cache/inside/src/door/door.js';
import { emptyState } from '../../.cache/inside/src/journal/state/state.js';
import { openHookAnswers } from '../../.cache/inside/src/recipes/review/start/open-stories.js';
import { plan } from './plan.mjs';

const [socket, home] = process.argv.slice(2);
const spec = { home, folder: 'ralph', skipReview: false, reviewCap: 5, stopBlocks: 3, reviewAgent: null };
const state = { ...emptyState, open: [{ number: 1, turn: { mode: 'implement', story: 'US-001' } }], stories: { ...emptyState.stories, plan } };
const room = { spec, env: {}, ours: [], warn: () => undefined, readPlan: async () => ({ kind: 'text', text: JSON.stringify(plan) }) };

openDoor(socket, Date.now, null, (tell, current) => openHookAnswers({ ...room, tell, state: current }))(
  async () => true,
  () => state,
);
process.stdin.resume().on('end', () => process.exit());
