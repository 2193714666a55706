/*
 * Who may import whom. An allow-list: what the tables do not name is forbidden, new folders included.
 * test/architecture/fences.test.ts trespasses against every line and checks that it is caught.
 */

/** Each folder of src, the folders it may know at run time, and the packages and Node modules it may use. */
const folders = {
  'kit/pure': { knows: [] },
  kit: { knows: ['kit/pure'], node: true },
  model: { knows: ['kit/pure'], packages: ['zod'] },
  core: { knows: ['model', 'kit/pure'], packages: ['unbash'] },
  recipes: { knows: ['core', 'model', 'kit/pure'] },
  'engine/ports': { knows: [], knowsTypesOf: ['model', 'kit', 'kit/pure', 'engine/ports'] },
  engine: { knows: ['core', 'model', 'kit', 'kit/pure'], knowsTypesOf: ['engine/ports'], node: true },
  adapters: { knows: ['model', 'kit', 'kit/pure'], knowsTypesOf: ['engine/ports'], packages: ['zod', 'yaml'], node: true },
  wiring: {
    knows: ['recipes', 'engine', 'adapters', 'core', 'model', 'kit', 'kit/pure'],
    knowsTypesOf: ['engine/ports'],
    packages: ['zod', 'yaml'],
    node: true,
  },
  cli: { knows: ['wiring', 'core', 'model', 'kit', 'kit/pure'], knowsTypesOf: ['recipes'], packages: ['commander', 'zod'], node: true },
  'index.ts': { knows: ['wiring', 'core', 'model'] },
};

/** The files of a folder without those of a folder inside it that has a line of its own. */
const nested = (folder) => Object.keys(folders).filter((other) => other.startsWith(`${folder}/`));
const filesOf = (folder) => {
  if (folder.endsWith('.ts')) return `^src/${folder}$`;
  const others = nested(folder).map((other) => `(?!${other.slice(folder.length + 1)}/)`);
  return `^src/${folder}/${others.join('')}`;
};

const test = '[.]test[.]ts$';
const edgesOf = ([folder, { knows, knowsTypesOf = [], packages = [], node = false }]) => {
  const from = { path: filesOf(folder), pathNot: test };
  return [
    ...knows.map((other) => ({ from, to: { path: filesOf(other) } })),
    ...knowsTypesOf.map((other) => ({ from, to: { path: filesOf(other), dependencyTypes: ['type-only'] } })),
    ...packages.map((name) => ({ from, to: { path: `node_modules/${name}/` } })),
    ...(node ? [{ from, to: { dependencyTypes: ['core'] } }] : []),
  ];
};

/** Most folders may use their own files freely; ports see each other as types only, adapters and recipes keep apart. */
const keepApart = ['engine/ports', 'adapters', 'recipes'];
const ownFiles = Object.keys(folders)
  .filter((folder) => !keepApart.includes(folder))
  .map((folder) => ({ from: { path: filesOf(folder), pathNot: test }, to: { path: filesOf(folder) } }));

const apart = [
  { from: { path: '^src/adapters/(?!agents/)([^/.]+)', pathNot: test }, to: { path: '^src/adapters/$1/' } },
  { from: { path: '^src/adapters/agents/([^/]+)/', pathNot: test }, to: { path: '^src/adapters/agents/$1/' } },
  { from: { path: '^src/adapters/agents/', pathNot: test }, to: { path: '^src/adapters/agents/[^/]+$' } },
  { from: { path: '^src/adapters/agents/definitions[.]ts$' }, to: { path: '^src/adapters/agents/[^/]+/index[.]ts$' } },
  { from: { path: '^src/recipes/([^/.]+)', pathNot: test }, to: { path: '^src/recipes/$1/' } },
];

/** Tests, scripts and benches may use anything; the rules below still hold for them. */
const outside = [{ from: { path: [test, '^test/', '^scripts/', '^bench/', '^[^/]+$'] }, to: {} }];

module.exports = {
  allowed: [...Object.entries(folders).flatMap(edgesOf), ...ownFiles, ...apart, ...outside],
  allowedSeverity: 'error',
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '[.]d[.]ts$' }, to: {} },
    // What the benches take from a build is there only after one.
    { name: 'no-missing-files', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '(^|/)(dist|[.]cache)/' } },
    { name: 'nobody-imports-a-test', severity: 'error', from: {}, to: { path: test } },
    { name: 'source-knows-no-test-support', severity: 'error', from: { path: '^src/', pathNot: test }, to: { path: '^(test|bench|scripts)/' } },
    {
      name: 'only-kit-process-starts-processes',
      comment: 'A process started elsewhere has no marker, no guardian and no sweep (docs/adr/0006).',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/kit/process/', test] },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'ports-are-types',
      comment: 'A port is a contract; run-time code behind it belongs to an adapter.',
      severity: 'error',
      from: { path: '^src/engine/ports/' },
      to: { dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    exclude: { path: ['^dist/', '^[.]cache/', '^test/architecture/violations/', '^test/fixtures/'] },
  },
};
