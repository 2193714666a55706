// npm run house: figures about the source code, and whether they meet the goals. --check: exit 1 if one does not. --json: JSON output.
// --static: only what can be counted without running anything; the rest needs the built program.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTree } from './house/source-tree.mjs';
import { textFigures } from './house/text-figures.mjs';
import { treeFigures } from './house/tree-figures.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const files = readTree(join(root, 'src'));
const figures = [...treeFigures(files), ...textFigures(files), ...(args.includes('--static') ? [] : await walked())];
console.log(args.includes('--json') ? JSON.stringify(figures, null, 2) : figures.map(line).join('\n'));
if (args.includes('--check') && figures.some(({ isMet }) => !isMet)) process.exitCode = 1;

async function walked() {
  const { loadFigures, walkFigures } = await import('./house/walks.mjs');
  return [...walkFigures(root, files), ...loadFigures(root)];
}

function line({ name, value, goal, isMet }) {
  return `${isMet ? '   ' : '!!!'} ${name.padEnd(36)} ${value.padEnd(28)} ${goal}`.trimEnd();
}
