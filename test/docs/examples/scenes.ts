import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { loopScenes } from './loop-scenes.ts';
import type { Scene } from './scene.ts';

const claims = (text: string) => ends(`${text}\n${CLAIM}`);

/** The commit message of an agent, in plain text. */
const names = (message: string) => turn({ result: message });

const releaseNotes = {
  'notes.txt': '',
  Makefile: [
    'lint:',
    '\t@! grep -n TODO notes.txt',
    'test:',
    '\t@grep -q "Bug fixes" notes.txt || { echo "notes.txt does not name the bug fixes"; exit 1; }',
    '',
  ].join('\n'),
};

const linesOfText = {
  'package.json': '{ "name": "lines", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/lines.js': "export const lines = (text) => text.split('\\n').slice(0, -1);\n",
  'test/lines.test.js': [
    "import assert from 'node:assert';",
    "import test from 'node:test';",
    "import { lines } from '../src/lines.js';",
    '',
    "test('a text that ends with a newline', () => assert.deepEqual(lines('a\\nb\\n'), ['a', 'b']));",
    '',
  ].join('\n'),
};

const doesItsTask = bash('echo "Hello." > "$RALPH_TASK_ID.txt" && git add -A && git commit -q -m "Greet" && ralph task complete "$RALPH_TASK_ID"');
const prompt = { 'PROMPT.md': `Write the release notes into notes.txt. When they are ready, answer ${CLAIM}.\n` };
const addsTheTest = bash(String.raw`printf '%s\n' 'test("no newline at the end", () => assert.deepEqual(lines("a\nb"), ["a", "b"]));' >> test/lines.test.js`);
const fixesIt = bash(String.raw`printf '%s\n' 'export const lines = (text) => text.replace(/\n$/, "").split("\n");' > src/lines.js`);

/** The scenes of the guide pages, by the name in their `<!-- scene: … -->`. */
export const scenes: Readonly<Record<string, Scene>> = {
  ...loopScenes,
  'lines of a text': {
    files: linesOfText,
    turns: [turn(addsTheTest, ...claims('I have written a test for it.')), turn(fixesIt, ...claims('The last line is kept now.'))],
  },
  'a package with a linter': {
    files: {
      ...linesOfText,
      ...prompt,
      'package.json': '{ "name": "lines", "type": "module", "scripts": { "lint": "node --check src/lines.js", "test": "node --test" } }\n',
    },
    turns: [turn(fixesIt, ...claims('The last line is kept now.'))],
  },
  'a package to plan for': { files: linesOfText, turns: [turn(doesItsTask, ...ends('Said hello.'))] },
  'release notes with a prompt': {
    files: { ...releaseNotes, ...prompt },
    turns: [turn(bash("echo 'Bug fixes: none.' > notes.txt"), ...claims('Written.')), names('Write the release notes')],
  },
  'release notes': {
    files: releaseNotes,
    turns: [turn(bash("echo 'TODO' > notes.txt"), ...claims('A first draft.')), turn(bash("echo 'Bug fixes: none.' > notes.txt"), ...claims('Written.'))],
  },
  'a repository with a remote': {
    files: releaseNotes,
    prepare: 'git init -q --bare ../origin.git && git remote add origin ../origin.git && git push -q -u origin main && echo "my own idea" > idea.txt',
    turns: [
      turn(bash("echo 'Bug fixes: one.' > notes.txt"), ...ends('One bug fix is in the notes.')),
      names('Begin the release notes'),
      turn(bash("echo 'Bug fixes: two.' > notes.txt"), ...claims('All bug fixes are in the notes.')),
      names('Name the second bug fix'),
    ],
  },
  'a review': {
    files: releaseNotes,
    turns: [
      turn(bash("echo 'Bug fixes: none.' > notes.txt"), ...claims('Written.')),
      turn(bash("echo 'Nothing new.' > notes.txt"), ...ends('The notes were not clear.')),
      turn(bash("echo 'Bug fixes: none. Nothing else is new.' > notes.txt"), ...ends('The bug fixes are named again.')),
    ],
  },
};
