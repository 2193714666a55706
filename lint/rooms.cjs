/*
 * The rooms of src/ and who may know whom. A folder may know its own files and every folder that stands before it in its list: nothing leads back.
 * Pure code may know pure code only. It is compiled without Node's types (tsconfig.pure.json) and tested without a world (vitest.config.ts).
 */

/** Pure: no clock, no dice, no files, no Node. */
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

/** All others. Each may know every pure folder above, except those of a recipe that is not its own. */
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

/** The recipes. None knows another. */
const recipes = ['run', 'work', 'review', 'supervise'];

/** Where a run learns which recipe it has: the only folder below the recipes that may know them. */
const chooses = '^src/runs/recipes/';

/** Packages a folder may use. */
const packages = {
  zod: ['settings/schema', 'settings', 'door', 'library'],
  yaml: ['plans', 'settings', 'recipes', 'proof'],
  commander: ['cli', 'cli/shared', 'command'],
  unbash: ['sandbox/guard', 'proof/deciders'],
};

module.exports = { pure, pureOfRecipe, rooms, recipes, chooses, packages };
