import type { SourceCopy } from './source-copy.ts';

export const LIST = 'src/agents/definitions.ts';
export const FOO = 'src/agents/foo/index.ts';

/** Everything that the definition of an agent has. */
export const PARTS: Readonly<Record<string, string>> = {
  name: "'foo'",
  program: "'foo'",
  outputFormat: "'lines'",
  textUnless: 'null',
  call: "() => ({ args: ['--unattended'], env: {} })",
  openParser: 'openPlainParser',
  stopWith: "'terminate'",
  judge: 'null',
  helpArgs: 'null',
  complaints: '[]',
  refusalInLog: 'null',
  taskFlags: '() => []',
  planningArgs: '({ prompt }) => [prompt]',
  model: "{ movedBy: ['FOO_URL'], hosts: ['api.foo.example'], login: [], alsoAt: [], clouds: [] }",
  variables: "['FOO_*']",
  sessionVariables: '[]',
  login: "{ ...NO_LOGIN, folders: ['.foo'] }",
  obeys: '[]',
  dockerTemplate: 'null',
  preflight: 'null',
};

export const definition = (parts: Readonly<Record<string, string>>) => `
import { NO_LOGIN } from '../../sandbox/agent-login.ts';
import type { AgentDefinition } from '../agent-definition.ts';
import { openPlainParser } from '../line-parser.ts';
export const unused = [NO_LOGIN, openPlainParser];
export const foo: AgentDefinition = {
${Object.entries(parts)
  .map(([name, value]) => `  ${name}: ${value},`)
  .join('\n')}
};
`;

/** Adds the agent `foo`: a folder, and its lines in one existing file. */
export async function addFoo(source: SourceCopy): Promise<void> {
  await source.add(FOO, definition(PARTS));
  await source.change(LIST, [
    ["import { gemini } from './gemini/index.ts';\n", "import { foo } from './foo/index.ts';\nimport { gemini } from './gemini/index.ts';\n"],
    [' gemini, ', ' gemini, foo, '],
  ]);
}
