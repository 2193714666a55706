import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearLines } from '../../../test/support/recorded-streams.ts';
import { runBinary } from '../../../test/support/run-binary.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { streamJson } from '../../agents/stream-json/index.ts';
import { openDemoProject } from './demo.ts';

const MODULES = ['agent', 'agent-turn', 'failing-tests', 'fixes', 'project-files'];
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
let compiled: ThrowAwayFolder;

/** Node 20 reads no TypeScript, and the built files may be older than the source. */
beforeAll(async () => {
  compiled = await openThrowAwayFolder();
  await writeFile(join(compiled.path, 'package.json'), '{ "type": "module" }\n');
  for (const name of MODULES) {
    const source = await readFile(join(import.meta.dirname, `${name}.ts`), 'utf8');
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true };
    await writeFile(join(compiled.path, `${name}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
});

afterAll(() => compiled[Symbol.asyncDispose]());

async function iterate(cwd: string, prompt: string) {
  const agent = await runBinary({ file: process.execPath, args: [join(compiled.path, 'agent.js')], cwd, env, stdin: prompt, withinMs: 60_000 });
  const guardrail = await runBinary({ file: process.execPath, args: ['--test'], cwd, env, stdin: '', withinMs: 60_000 });
  const { summary } = hearLines(streamJson, agent.stdout.trimEnd().split('\n'));
  return { agent, guardrail, summary };
}

describe('the demo agent, in a real repository with real tests', () => {
  it('needs the output of the guardrail twice to make it green', async () => {
    await using project = await openDemoProject(env, false);
    const told = (output: string) => `Task.\n\nGuardrail "node --test" failed with exit code 1.\nOutput (truncated):\n${output}`;

    const first = await iterate(project.path, 'Task.');
    expect(first.agent).toMatchObject({ code: 0, stderr: '' });
    expect(first.summary.text).toContain('<response>DONE</response>');
    expect(first.guardrail.code).toBe(1);

    const second = await iterate(project.path, told(first.guardrail.stdout));
    expect(second.summary.text).not.toContain('DONE');
    expect(second.guardrail.code).toBe(1);

    const third = await iterate(project.path, told(second.guardrail.stdout));
    expect(third.summary.text).toContain('<response>DONE</response>');
    expect(third.guardrail.code).toBe(0);

    for (const { summary } of [first, second, third]) {
      expect(summary).toMatchObject({ unknownLines: 0, toolErrors: 0, terminal: { ok: true } });
      expect(summary.usage?.costUsd).toBeGreaterThan(0);
    }
    expect(await project.changes()).toContain('src/duration.js');
  });
});
