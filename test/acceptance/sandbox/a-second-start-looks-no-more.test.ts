import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deepRows } from '../../support/deep.ts';
import { openHostileStage } from '../../support/hostile-stage.ts';
import { eventsOf } from '../../support/loop-stage.ts';

const TEST = "require('node:test').test('adds', () => require('node:assert').ok(require('./add.js')() === 2));\n";
const FORGES =
  'cat >/dev/null; mkdir -p .git/ralph/cache; echo "[]" > .git/ralph/cache/living.json; cat .git/ralph/cache/living.json; rm -rf .git/ralph; exit 0';

describe.skipIf(bubblewrapIsMissing())('a run that is started again on the same files', () => {
  it.each(deepRows('the same seal stands around both', ['isolated', 'place'], 1))(
    'does not look again what is alive, and says so; no agent that works in %s can write what it knows',
    async (workspace) => {
      await using stage = await openHostileStage({ files: { 'add.js': 'module.exports = () => 0;\n', 'add.test.js': TEST } });
      const words = ['loop', 'Do it.', '--check', 'node --test', '--max-iterations', '1', '--json', '--sandbox=os', `--workspace=${workspace}`];
      const begin = () => stage.ralph(...words, '--agent', `sh -c '${FORGES}'`);
      const first = await begin();
      expect(first, first.stderr).toMatchObject({ code: 1 });
      const file = join(stage.repo.path, '.git/ralph/cache/living.json');
      expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('add.test.js');

      const second = await begin();
      expect(second.stderr).toContain('node --test is alive: it runs 1 test file, as an earlier run saw on the same files');
      expect(eventsOf(second, 'living.found')).toMatchObject([{ known: ['node --test'], gates: [{ state: 'living', files: ['add.test.js'] }] }]);
    },
  );
});
