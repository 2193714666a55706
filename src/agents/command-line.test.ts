import { describe, expect, it } from 'vitest';
import { openCommandLine } from './command-line.ts';
import { definitions } from './definitions.ts';

const nobody = { watch: () => undefined, forget: () => undefined, reportLeft: () => undefined };
const inside = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_PROJECT_DIR'];
const own = ['CLAUDE_CODE_MAX_RETRIES', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_TASK_LIST_ID', 'PATH'];

describe('the environment of an agent', () => {
  it.each(definitions.map((definition) => [definition.name, definition] as const))(
    'does not tell %s that it runs inside another session',
    async (_name, definition) => {
      const lineFor = openCommandLine({
        definition: { ...definition, helpArgs: null },
        command: 'agent',
        flags: [],
        model: null,
        autonomy: 'edits',
        env: Object.fromEntries([...inside, ...own].map((name) => [name, 'x'])),
        asRoot: false,
        insideGit: true,
        enclosed: false,
        cacheFolder: '/nowhere',
        guardian: nobody,
      });
      const names = Object.keys((await lineFor({ output: 'events', cwd: '/', promptFile: '/p', budgetUsd: null, judges: false })).env);
      expect(names).toEqual(expect.arrayContaining(own));
      for (const name of inside) expect(names).not.toContain(name);
    },
  );
});
