// Completes package-lock.json after a change of dependencies: a registry that lacks the binaries of other platforms makes npm leave their entries
// out, and `npm ci` then refuses the lock everywhere. Name and version come from the package that wants them, os, cpu and libc from the name.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
// Some packages use other names than npm.
const spellings = { windows: 'win32', armv7: 'arm' };
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

function entryFor(name, version, dev) {
  const words = name.split(/[/-]/).map((word) => spellings[word] ?? word);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : words.some((word) => word.startsWith('gnu')) ? ['glibc'] : [];
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(os.includes('linux') && libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

let added = 0;
for (const wanting of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(wanting.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || !/^\d/.test(version)) continue;
    lock.packages[path] = entryFor(name, version, wanting.dev === true);
    added += 1;
  }
}
const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added`);
