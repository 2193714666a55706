import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { HOOKS_BY_LOOP, HOOKS_VARIABLE, hookCommand, hooksFor } from '../../src/door/answer-hooks/hook-command.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { projectRoot } from './project-files.ts';

/** The loop has given its agents these hooks itself. */
const SILENT = `[ "$${HOOKS_VARIABLE}" = ${HOOKS_BY_LOOP} ] && exit; `;

/** Nobody works on stories here: node, which looks more closely, is not even started. */
const IDLE = `for d in "$CLAUDE_PROJECT_DIR" "$PWD"; do while [ -n "$d" ] && [ ! -e "$d/.ralph-active" ]; do d=\${d%/*}; done; [ -n "$d" ] && break; done; [ -n "$d" ] || [ -S "$RALPH_SOCKET" ] || exit 0; `;

/** What the plugin says of its hooks: the same as the loop tells its agents, as long as there is something to say. */
function pluginHooks(): string {
  const places = { socket: '"$RALPH_SOCKET"', node: 'node', entry: '"${CLAUDE_PLUGIN_ROOT}/hooks/ralph-hook.cjs"' };
  const hooks = hooksFor((name) => `${SILENT}${name === 'stop' || name === 'guard' ? IDLE : ''}${hookCommand(name, places)}`);
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

it('the plugin has the hooks of the loop: `npm run generate` writes them', async () => {
  await expect(pluginHooks()).toMatchFileSnapshot(join(projectRoot, 'plugin/hooks/hooks.json'));
});

it('the plugin contains the hook of the source: `npm run generate` writes it', async () => {
  await using folder = await openThrowAwayFolder();
  const bundle = join(folder.path, 'hook.cjs');
  await promisify(execFile)(process.execPath, [join(projectRoot, 'scripts/bundle-hook.mjs'), bundle]);
  const text = await readFile(bundle, 'utf8');
  expect(text).not.toMatch(/zod|commander|require\("(?!node:)/);
  await expect(text).toMatchFileSnapshot(join(projectRoot, 'plugin/hooks/ralph-hook.cjs'));
});
