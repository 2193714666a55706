/*
 * The rooms of src/ and who may import whom. A folder may import its own files and every folder before it in its list, never one after it.
 * Pure code may import only pure code. It is compiled without Node's types (tsconfig.pure.json) and tested without clock, random numbers and files (vitest.config.ts).
 */

/** Pure: no clock, no random numbers, no files, no Node. */
const pure = [
  'kit/pure',
  'journal/words',
  'settings/kinds',
  'people/channels',
  'settings/schema',
  'journal',
  'engine/decide',
  'limits',
  'proof/judge',
  'proof/deciders',
  'proof/sealed',
  'journal/evolve',
  'proof/claims',
  'proof/canaries',
  'agents/attempt',
  'sandbox/guard',
  'plans/graph',
  'plans/review',
  'door/hooks',
  'report/needs',
  'report/console',
  'report/views',
  'report/history',
  'people/notices',
  'report/loop-report',
  'report/run-report',
  'watch/view',
  'web/view',
  'proof/torture/figures',
  'proof/torture/loops',
  'recipes/shared',
];

/** The folders of a recipe that are pure: its lists and prompts (loose files), its rules, its console lines. */
const pureOfRecipe = ['rules', 'console'];

/** All other folders. Each may import every pure folder above, except those of another recipe. */
const rooms = [
  'kit',
  'process',
  'engine/ports',
  'engine',
  'store',
  'sandbox',
  'workspace',
  'agents',
  'plans',
  'settings',
  'proof',
  'door',
  'report',
  'people/notify',
  'fleet',
  'plans/tasks',
  'runs',
  'plans/planning',
  'people',
  'recipes',
  'library',
  'watch',
  'web/server',
  'cli/shared',
  'command',
  'cli',
];

/** The page of `ralph ui`. It runs in a browser, may import every pure folder, and nobody imports it (src/web/client/tsconfig.json). */
const page = 'web/client';

/** The recipes. None may import another. */
const recipes = ['run', 'work', 'review', 'supervise'];

/** Chooses the recipe of a run: the only folder before the recipes that may import them. */
const chooses = '^src/runs/recipes/';

/** Packages a folder may use. */
const packages = {
  zod: ['settings/kinds', 'people/channels', 'settings/schema', 'settings', 'door', 'library'],
  yaml: ['plans', 'settings', 'recipes', 'proof'],
  commander: ['cli', 'cli/shared', 'command'],
  hono: ['web/server'],
  pg: ['store'],
  '@hono/node-server': ['web/server'],
  preact: ['web/client'],
  '@preact/signals': ['web/client'],
  '@dagrejs/dagre': ['web/client'],
  anser: ['web/client'],
  unbash: ['sandbox/guard', 'proof/deciders'],
};

module.exports = { pure, pureOfRecipe, rooms, page, recipes, chooses, packages };
