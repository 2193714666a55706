/*
 * Who may import whom: an allow-list made from lint/rooms.cjs. What it does not name is forbidden, new folders included.
 * test/architecture/fences.test.ts trespasses against every line and checks that it is caught.
 */
const { pure, pureOfRecipe, rooms, page, recipes, chooses, packages } = require('./lint/rooms.cjs');

const test = '[.]test[.]ts$';
const tests = [test, '^test/', '^scripts/', '^bench/', '^lint/', '^[^/]+$'];
const folders = [...pure, ...rooms];

/** The files of a room: a command's own code lies in its capability, in a folder named command. */
function filesOf(room) {
  if (room === 'command') return '^src/(?!agents/).+/command/';
  if (room === 'recipes') return `^src/recipes/(${recipes.join('|')})/(?!${pureOfRecipe.join('/|')}/)[^/]+/(?<!/command/)`;
  const inner = folders.filter((other) => other.startsWith(`${room}/`)).map((other) => `(?!${other.slice(room.length + 1)}/)`);
  return `^src/${room}/${inner.join('')}`;
}

const notACommand = (room) => (room === 'command' || room === 'agents' ? [] : ['^src/(?!agents/).+/command/']);
const from = (room) => ({ path: filesOf(room), pathNot: [test, ...notACommand(room)] });
const to = (room) => ({ path: filesOf(room), pathNot: notACommand(room) });
const before = (list, room) => list.slice(0, list.indexOf(room) + 1);

const edges = [
  ...pure.flatMap((room) => before(pure, room).map((other) => ({ from: from(room), to: to(other) }))),
  ...rooms.flatMap((room) =>
    [...pure, ...before(rooms, room)].filter((other) => other !== 'recipes' || room !== 'recipes').map((other) => ({ from: from(room), to: to(other) })),
  ),
  ...[...pure, page].map((other) => ({ from: from(page), to: to(other) })),
  ...rooms.map((room) => ({ from: from(room), to: { dependencyTypes: ['core'] } })),
  ...Object.entries(packages).flatMap(([name, users]) => users.map((room) => ({ from: from(room), to: { path: `node_modules/${name}/` } }))),
];

/** A recipe's pure files know pure code and each other; the rest of it knows them and whatever recipes may know. */
const pureFiles = (recipe) => `^src/recipes/${recipe}/([^/]+[.]ts$|(${pureOfRecipe.join('|')})/)`;
const ofRecipes = recipes.flatMap((recipe) => [
  ...[...pure.map(to), { path: pureFiles(recipe) }].map((target) => ({ from: { path: pureFiles(recipe), pathNot: test }, to: target })),
  { from: { path: `^src/recipes/${recipe}/`, pathNot: [test, pureFiles(recipe)] }, to: { path: `^src/recipes/${recipe}/`, pathNot: '/command/' } },
]);

/** Those who start a run of a kind, and the one place that chooses. */
const all = { path: '^src/recipes/' };
const starters = ['library', 'command', 'cli'].map((room) => ({ from: from(room), to: { ...all, pathNot: '/command/' } }));
const others = [
  ...starters,
  { from: { path: chooses }, to: { ...all, pathNot: '/command/' } },
  { from: from('command'), to: to('command') },
  { from: from('cli'), to: to('command') },
  { from: { path: '^src/index[.]ts$' }, to: { path: '^src/' } },
  { from: { path: tests }, to: {} },
];

/** An agent knows what all agents share, and no other agent; the list of definitions knows them all. */
const agent = '^src/agents/(?!attempt/|run-agent/|stream-json/)([^/]+)/';

module.exports = {
  allowed: [...edges, ...ofRecipes, ...others],
  allowedSeverity: 'error',
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '[.]d[.]ts$' }, to: {} },
    // What the benches take from a build is there only after one.
    { name: 'no-missing-files', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '(^|/)(dist|[.]cache)/' } },
    { name: 'nobody-imports-a-test', severity: 'error', from: {}, to: { path: test } },
    { name: 'source-knows-no-test-support', severity: 'error', from: { path: '^src/', pathNot: test }, to: { path: '^(test|bench|scripts)/' } },
    { name: 'agents-keep-apart', severity: 'error', from: { path: `${agent}` }, to: { path: agent, pathNot: '^src/agents/$1/' } },
    {
      name: 'shared-agent-code-knows-no-agent',
      severity: 'error',
      from: { path: '^src/agents/', pathNot: [agent, test, '^src/agents/definitions[.]ts$'] },
      to: { path: agent },
    },
    {
      name: 'only-process-starts-processes',
      comment: 'A process started elsewhere has no marker, no guardian and no sweep (docs/adr/0006).',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/process/', test] },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'only-workspace-runs-git',
      comment: 'A git started elsewhere is not guarded against what an agent wrote into the repository.',
      severity: 'error',
      from: { path: '^src/(?!workspace/)', pathNot: [test] },
      to: { path: '^src/workspace/git/git-command[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-are-types',
      comment: 'A port is a contract; run-time code behind it belongs to a capability.',
      severity: 'error',
      from: { path: '^src/engine/ports/' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-are-used-as-types',
      severity: 'error',
      from: { path: '^src/', pathNot: [test] },
      to: { path: '^src/engine/ports/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    exclude: { path: ['^dist/', '^[.]cache/inside/', '^test/fixtures/'] },
  },
};
