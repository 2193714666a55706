import { join } from 'node:path';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { beforeAll, describe, expect, it } from 'vitest';

const here = import.meta.dirname;
const notListed = ['not-in-allowed'];

/** Every deliberate trespass, and the rules that must name it. */
const trespasses: Readonly<Record<string, readonly string[]>> = {
  'src/adapters/agents/claude/knows-codex.ts': notListed,
  'src/adapters/agents/shared-knows-claude.ts': notListed,
  'src/adapters/git/knows-an-agent.ts': notListed,
  'src/adapters/git/knows-another-adapter.ts': notListed,
  'src/adapters/git/knows-core.ts': notListed,
  'src/adapters/git/knows-engine.ts': notListed,
  'src/cli/knows-an-adapter.ts': notListed,
  'src/cli/knows-engine.ts': notListed,
  'src/cli/runs-a-recipe.ts': notListed,
  'src/core/cycle-back.ts': ['no-cycles'],
  'src/core/imports-a-test.ts': ['nobody-imports-a-test'],
  'src/core/imports-test-support.ts': ['not-in-allowed', 'source-knows-no-test-support'],
  'src/core/knows-a-port-as-type.ts': notListed,
  'src/core/knows-engine-lazily.ts': notListed,
  'src/core/knows-engine.ts': notListed,
  'src/core/orphan.ts': ['no-orphans'],
  'src/core/points-nowhere.ts': ['no-missing-files', 'not-in-allowed'],
  'src/core/uses-a-package.ts': notListed,
  'src/core/uses-node.ts': notListed,
  'src/engine/knows-a-recipe.ts': notListed,
  'src/engine/knows-an-adapter.ts': notListed,
  'src/engine/ports/has-run-time-code.ts': ['not-in-allowed', 'ports-are-types'],
  'src/engine/ports/knows-core.ts': notListed,
  'src/engine/starts-a-process.ts': ['only-kit-process-starts-processes'],
  'src/engine/uses-a-port-at-run-time.ts': notListed,
  'src/helpers/is-no-folder-of-the-table.ts': notListed,
  'src/index.ts': notListed,
  'src/kit/async/knows-model.ts': notListed,
  'src/kit/async/uses-a-package.ts': notListed,
  'src/kit/pure/knows-the-rest-of-kit.ts': notListed,
  'src/kit/pure/uses-node.ts': notListed,
  'src/model/knows-core.ts': notListed,
  'src/model/knows-kit.ts': notListed,
  'src/recipes/knows-an-adapter.ts': notListed,
  'src/recipes/knows-another-recipe.ts': notListed,
  'src/wiring/knows-cli.ts': notListed,
};

describe('the dependency fences', () => {
  let rules: IFlattenedRuleSet;
  let found: ICruiseResult;

  beforeAll(async () => {
    const options = await extractDepcruiseOptions(join(here, '../../.dependency-cruiser.cjs'));
    rules = options.ruleSet ?? {};
    const { output } = await cruise(['src'], { ...options, baseDir: join(here, 'violations') });
    if (typeof output === 'string') throw new Error('The cruise gave a report, not a result.');
    found = output;
  });

  it('catch every trespass, each by its rule, and nothing else', () => {
    const caught: Record<string, string[]> = {};
    for (const { from, rule } of found.summary.violations) caught[from] = [...(caught[from] ?? []), rule.name].sort();
    expect(caught).toEqual(trespasses);
  });

  it('leave the clean mirror of the house alone', () => {
    const clean = found.modules.map((module) => module.source).filter((file) => file.startsWith('src/') && !(file in trespasses));
    expect(clean).toEqual(expect.arrayContaining(['src/core/choose.ts', 'src/adapters/agents/claude/claude.ts', 'src/wiring/open-run.ts', 'src/cli/main.ts']));
    expect(found.modules.filter(({ source, valid }) => clean.includes(source) && !valid)).toEqual([]);
  });

  it('have a trespass for every rule', () => {
    const named = new Set(Object.values(trespasses).flat());
    expect((rules.forbidden ?? []).map((rule) => rule.name).filter((name) => name === undefined || !named.has(name))).toEqual([]);
    expect(rules.allowedSeverity).toBe('error');
  });
});
