import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { pure, pureOfRecipe, rooms } = createRequire(import.meta.url)('../../lint/rooms.cjs');
const notListed = ['not-in-allowed'];

/** A small source tree: a file in every room that the violations below need. All of it is allowed. */
const house: Readonly<Record<string, string>> = {
  'src/kit/pure/text.ts': '',
  'src/kit/files/read.ts': "import '../pure/text.ts';\nimport 'node:fs';",
  'src/process/run.ts': "import '../kit/files/read.ts';\nimport 'node:child_process';",
  'src/settings/schema/settings.ts': "import '../../kit/pure/text.ts';",
  'src/journal/state.ts': "import '../settings/schema/settings.ts';",
  'src/engine/decide/decide.ts': "import '../../journal/state.ts';",
  'src/limits/money.ts': "import type { X } from '../engine/decide/decide.ts';",
  'src/proof/judge/verdict.ts': "import '../../limits/money.ts';",
  'src/journal/evolve/evolve.ts': "import '../../proof/judge/verdict.ts';",
  'src/report/console/lines.ts': "import '../../journal/evolve/evolve.ts';",
  'src/recipes/shared/asking.ts': "import '../../limits/money.ts';",
  'src/recipes/run/run.ts': "import './rules/steps.ts';",
  'src/recipes/run/rules/steps.ts': "import '../../shared/asking.ts';\nimport '../../../report/console/lines.ts';",
  'src/recipes/run/start/start-run.ts': "import '../run.ts';\nimport '../../../runs/begin.ts';",
  'src/recipes/run/command/run.ts': "import '../start/start-run.ts';\nimport '../../../cli/shared/flags.ts';\nimport '../../work/start/start-work.ts';",
  'src/recipes/work/work.ts': "import '../shared/asking.ts';",
  'src/recipes/work/start/start-work.ts': "import '../work.ts';\nimport '../../../proof/gates.ts';",
  'src/engine/ports/clock.ts': "import type { X } from '../../journal/state.ts';",
  'src/engine/drive.ts': "import './decide/decide.ts';\nimport type { X } from './ports/clock.ts';",
  'src/store/journal-file.ts': "import '../process/run.ts';",
  'src/sandbox/open.ts': "import '../process/run.ts';",
  'src/workspace/git/git-command.ts': "import '../../process/run.ts';\nimport '../../sandbox/open.ts';",
  'src/agents/definitions.ts': "import './claude/index.ts';\nimport './codex/index.ts';",
  'src/agents/claude/index.ts': "import '../../sandbox/open.ts';",
  'src/agents/codex/index.ts': "import '../../sandbox/open.ts';",
  'src/agents/command/index.ts': "import '../../sandbox/open.ts';",
  'src/proof/gates.ts': "import '../workspace/place.ts';",
  'src/workspace/place.ts': "import './git/git-command.ts';",
  'src/runs/begin.ts': "import '../proof/gates.ts';",
  'src/runs/recipes/parts.ts': "import '../../recipes/run/run.ts';\nimport '../begin.ts';",
  'src/web/view/page.ts': "import '../../journal/state.ts';",
  'src/web/client/main.tsx': "import '../view/page.ts';",
  'src/web/server/app.ts': "import '../view/page.ts';\nimport '../../runs/begin.ts';",
  'src/web/command/ui.ts': "import '../server/app.ts';\nimport '../../cli/shared/flags.ts';",
  'src/cli/shared/flags.ts': "import '../../runs/begin.ts';",
  'src/cli/main.ts':
    "import '../recipes/run/command/run.ts';\nimport '../runs/recipes/parts.ts';\nimport '../agents/definitions.ts';\nimport '../agents/command/index.ts';\nimport '../store/journal-file.ts';\nimport '../engine/drive.ts';",
  'src/index.ts': "import './runs/begin.ts';",
  'test/support/helper.ts': "import '../../src/kit/pure/text.ts';",
  'src/kit/pure/text.test.ts': "import './text.ts';",
  // dependency-cruiser names one end of a cycle; the other is in the list of violations.
  'src/kit/pure/cycle-there.ts': "import './cycle-back.ts';",
};

/** Every deliberate violation, and the rules that must report it. */
const trespasses: Readonly<Record<string, { readonly code: string; readonly rules: readonly string[] }>> = {
  'src/kit/pure/uses-node.ts': { code: "import 'node:fs';", rules: notListed },
  'src/kit/pure/knows-the-rest-of-kit.ts': { code: "import '../files/read.ts';", rules: notListed },
  'src/kit/pure/imports-a-test.ts': { code: "import './text.test.ts';", rules: ['nobody-imports-a-test'] },
  'src/kit/pure/imports-test-support.ts': { code: "import '../../../test/support/helper.ts';", rules: ['not-in-allowed', 'source-knows-no-test-support'] },
  'src/kit/pure/points-nowhere.ts': { code: "import './nothing.ts';", rules: ['no-missing-files', 'not-in-allowed'] },
  'src/kit/pure/orphan.ts': { code: '', rules: ['no-orphans'] },
  'src/kit/pure/cycle-back.ts': { code: "import './cycle-there.ts';", rules: ['no-cycles'] },
  'src/kit/files/knows-process.ts': { code: "import '../../process/run.ts';", rules: notListed },
  'src/kit/files/uses-a-package.ts': { code: "import 'zod';", rules: notListed },
  'src/process/knows-the-sandbox.ts': { code: "import '../sandbox/open.ts';", rules: notListed },
  'src/settings/schema/knows-the-journal.ts': { code: "import '../../journal/state.ts';", rules: notListed },
  'src/people/channels/knows-the-settings.ts': { code: "import '../../settings/schema/settings.ts';", rules: notListed },
  'src/people/channels/uses-node.ts': { code: "import 'node:fs';", rules: notListed },
  'src/people/notify/knows-runs.ts': { code: "import '../../runs/begin.ts';", rules: notListed },
  'src/journal/knows-evolve.ts': { code: "import './evolve/evolve.ts';", rules: notListed },
  'src/journal/uses-node.ts': { code: "import 'node:fs';", rules: notListed },
  'src/journal/uses-a-package.ts': { code: "import 'yaml';", rules: notListed },
  'src/limits/knows-proof.ts': { code: "import '../proof/judge/verdict.ts';", rules: notListed },
  'src/limits/knows-engine-lazily.ts': { code: "export const later = () => import('../engine/drive.ts');", rules: notListed },
  'src/report/console/knows-a-recipe.ts': { code: "import '../../recipes/work/work.ts';", rules: notListed },
  'src/recipes/shared/knows-a-recipe.ts': { code: "import '../run/run.ts';", rules: notListed },
  'src/recipes/run/knows-another-recipe.ts': { code: "import '../work/work.ts';", rules: notListed },
  'src/recipes/run/rules/knows-the-store.ts': { code: "import '../../../store/journal-file.ts';", rules: notListed },
  'src/recipes/run/rules/uses-node.ts': { code: "import 'node:fs';", rules: notListed },
  'src/recipes/run/start/knows-another-recipe.ts': { code: "import '../../work/work.ts';", rules: notListed },
  'src/recipes/run/start/knows-another-start.ts': { code: "import '../../work/start/start-work.ts';", rules: notListed },
  'src/recipes/run/start/knows-a-command.ts': { code: "import '../command/run.ts';", rules: notListed },
  'src/engine/knows-the-store.ts': { code: "import '../store/journal-file.ts';", rules: notListed },
  'src/engine/knows-a-recipe.ts': { code: "import '../recipes/run/run.ts';", rules: notListed },
  'src/engine/uses-a-port-at-run-time.ts': { code: "import './ports/clock.ts';", rules: ['ports-are-used-as-types'] },
  'src/engine/ports/has-run-time-code.ts': { code: "import '../../journal/state.ts';", rules: ['ports-are-types'] },
  'src/sandbox/knows-the-workspace.ts': { code: "import '../workspace/place.ts';", rules: notListed },
  'src/workspace/knows-proof.ts': { code: "import '../proof/gates.ts';", rules: notListed },
  'src/proof/knows-runs.ts': { code: "import '../runs/begin.ts';", rules: notListed },
  'src/proof/starts-a-process.ts': { code: "import 'node:child_process';", rules: ['only-process-starts-processes'] },
  'src/proof/runs-git.ts': { code: "import '../workspace/git/git-command.ts';", rules: ['only-workspace-runs-git'] },
  'src/runs/knows-a-recipe.ts': { code: "import '../recipes/run/run.ts';", rules: notListed },
  'src/agents/claude/knows-codex.ts': { code: "import '../codex/index.ts';", rules: ['agents-keep-apart'] },
  'src/agents/shared-knows-claude.ts': { code: "import './claude/index.ts';", rules: ['shared-agent-code-knows-no-agent'] },
  'src/cli/shared/knows-a-command.ts': { code: "import '../../recipes/run/command/run.ts';", rules: notListed },
  'src/web/client/knows-the-server.ts': { code: "import '../server/app.ts';", rules: notListed },
  'src/web/client/uses-node.ts': { code: "import 'node:fs';", rules: notListed },
  'src/web/view/uses-a-package.ts': { code: "import 'preact';", rules: notListed },
  'src/web/server/knows-the-page.ts': { code: "import '../client/main.tsx';", rules: notListed },
  'src/web/server/knows-a-command.ts': { code: "import '../../recipes/run/command/run.ts';", rules: notListed },
  'src/runs/knows-the-web.ts': { code: "import '../web/server/app.ts';", rules: notListed },
  'src/helpers/is-no-room.ts': { code: "import '../kit/pure/text.ts';", rules: notListed },
};

describe('the dependency fences', () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'fences-'));
  let rules: IFlattenedRuleSet;
  let found: ICruiseResult;

  beforeAll(async () => {
    const code = { ...house, ...Object.fromEntries(Object.entries(trespasses).map(([file, each]) => [file, each.code])) };
    for (const [file, text] of Object.entries(code)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\nexport type X = 1;\n`);
    }
    const options = await extractDepcruiseOptions(join(root, '.dependency-cruiser.cjs'));
    rules = options.ruleSet ?? {};
    const { output } = await cruise(['src'], { ...options, baseDir: folder });
    if (typeof output === 'string') throw new Error('The cruise gave a report, not a result.');
    found = output;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('report every violation with its rule, and nothing else', () => {
    const caught: Record<string, string[]> = {};
    for (const { from, rule } of found.summary.violations) caught[from] = [...new Set([...(caught[from] ?? []), rule.name])].sort();
    expect(caught).toEqual(Object.fromEntries(Object.entries(trespasses).map(([file, each]) => [file, each.rules])));
  });

  it('have a violation for every rule', () => {
    const named = new Set(Object.values(trespasses).flatMap((each) => each.rules));
    expect((rules.forbidden ?? []).map((rule) => rule.name).filter((name) => name === undefined || !named.has(name))).toEqual([]);
    expect(rules.allowedSeverity).toBe('error');
  });
});

describe('pure code', () => {
  it("is compiled without Node's types, all of it and nothing else", () => {
    const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.pure.json'), 'utf8'));
    const inside = (room: string) => pure.some((other: string) => other !== room && room.startsWith(`${other}/`));
    const folders = pure.filter((room: string) => !inside(room)).map((room: string) => `src/${room}`);
    const ofRecipes = ['src/recipes/*/*.ts', ...pureOfRecipe.map((name: string) => `src/recipes/*/${name}`)];
    expect([...include].sort()).toEqual([...folders, ...ofRecipes].sort());
  });

  it('is listed once in the table of rooms', () => {
    expect([...pure, ...rooms].filter((room, at, all) => all.indexOf(room) !== at)).toEqual([]);
  });
});
