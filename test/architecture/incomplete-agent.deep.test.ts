// Deep: each file is compiled with the types of Node; agent-definition.test.ts holds the same for the type alone.
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { addFoo, definition, FOO, LIST, PARTS } from '../support/added-agent.ts';
import { openSourceCopy } from '../support/source-copy.ts';

/** What the compiler says about each file of a source tree. */
function problemsIn(root: string, files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { tsBuildInfoFile: _, incremental: __, ...said } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions;
  const { options } = ts.convertCompilerOptionsFromJson(said, root);
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  );
  const textsOf = (file: string) =>
    program.getSemanticDiagnostics(program.getSourceFile(join(root, file))).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  return new Map(files.map((file) => [file, textsOf(file)]));
}

it('the compiler accepts a whole definition of an agent, and refuses one that lacks any part', async () => {
  await using source = await openSourceCopy();
  await addFoo(source);
  const without = Object.keys(PARTS).map((part) => [`src/agents/foo/without-${part}.ts`, part] as const);
  for (const [file, part] of without) await source.add(file, definition(Object.fromEntries(Object.entries(PARTS).filter(([name]) => name !== part))));
  const problems = problemsIn(source.path, [LIST, FOO, ...without.map(([file]) => file)]);
  expect([problems.get(LIST), problems.get(FOO)]).toEqual([[], []]);
  for (const [file, part] of without) expect(problems.get(file)).toEqual([expect.stringContaining(`'${part}' is missing`)]);
}, 120_000);
