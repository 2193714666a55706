/*
 * The rooms of src/ and who may import whom. A folder may import its own files and every folder before it in its list, never one after it.
 * Pure code may import only pure code. It is compiled without Node's types (tsconfig.pure.json) and tested without clock, random numbers and files (vitest.config.ts).
 */

/** Pure: no clock, no random numbers, no files, no Node. */
const pure = [
  'kit/pure',
  'journal/words',
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
  'report/console',
  'report/views',
  'report/loop-report',
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
  'plans/tasks',
  'runs',
  'plans/planning',
  'people',
  'recipes',
  'library',
  'cli/shared',
  'command',
  'cli',
];

/** The recipes. None may import another. */
const recipes = ['run', 'work', 'review', 'supervise'];

/** Chooses the recipe of a run: the only folder before the recipes that may import them. */
const chooses = '^src/runs/recipes/';

/** Packages a folder may use. */
const packages = {
  zod: ['settings/schema', 'settings', 'door', 'library'],
  yaml: ['plans', 'settings', 'recipes', 'proof'],
  commander: ['cli', 'cli/shared', 'command'],
  unbash: ['sandbox/guard', 'proof/deciders'],
};

module.exports = { pure, pureOfRecipe, rooms, recipes, chooses, packages };
