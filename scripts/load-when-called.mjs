// A plugin of the bundler, for programs that are started often: what only a few calls need is loaded on demand.
/** Node modules that take milliseconds to load. */
const SLOW = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:http', 'node:os', 'node:timers/promises'];

/** Replaces each of their functions by one that loads the module when it is called. Packages use more than functions. */
export const loadWhenCalled = {
  name: 'load-when-called',
  resolveId: (id, importer) => (SLOW.includes(id) && !importer?.includes('/node_modules/') ? `slow:${id}` : null),
  load(id) {
    const name = id.slice('slow:'.length);
    if (!id.startsWith('slow:') || !SLOW.includes(name)) return null;
    const real = process.getBuiltinModule(name);
    const functions = Object.keys(real).filter((each) => typeof real[each] === 'function' && /^[a-z]\w*$/i.test(each));
    return functions.map((each) => `export const ${each} = (...args) => process.getBuiltinModule('${name}').${each}(...args);`).join('\n');
  },
};
