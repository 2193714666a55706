import { describe, expect, it } from 'vitest';
import { hearLines, linesOf, recordedAt } from '../../../test/support/recorded-streams.ts';
import { definitionNamed } from '../../agents/find-definition.ts';
import { plainScreen } from '../console/recipe-screen.ts';
import { openConsole } from './console.ts';

/** The screen of a recorded run of a real agent, parsed by its own parser. */
function screenOf(agent: string, recording: string): string {
  let screen = '';
  const console = openConsole({
    write: (text) => {
      screen += text;
    },
    width: 100,
    colour: false,
    quiet: false,
    verbose: false,
    secrets: [],
    runFolder: null,
    screen: plainScreen,
    nowMs: recordedAt.nowMs,
  });
  const { events } = hearLines(definitionNamed(agent), linesOf(`${agent}/${recording}`));
  for (const event of events) console.onAgentEvent?.('1.1', event);
  return screen;
}

describe('the screen of a recorded run', () => {
  it('of claude with a sub-agent indents the work of the sub-agent', () => {
    expect(screenOf('claude', 'subagent')).toBe(`Delegating.
⏺ Agent(find it)
  ⏺ Bash(echo from-sub)
  ✅ Result ← Bash (1 lines, 8 chars)
    ⎿  from-sub
  ⎿  sub-agent used 2K tokens
✅ Result ← Agent (5 lines, 208 chars)
  ⎿  Sub result 42.
      agentId: a637b0786ffce2a6c (use SendMessage with to: 'a637b0786ffce2a6c', summary: '<5-10 wor…
      <usage>subagent_tokens: 2050
  ⎿  ... 2 more lines
Main done: 42.
`);
  });

  it('of claude with failing tools names each of them', () => {
    expect(screenOf('claude', 'tool-error')).toBe(`⏺ Bash(echo out; echo bad >&2; exit 3)
❌ Error ← Bash (3 lines, 19 chars)
  ⎿  Exit code 3
      out
      bad
⏺ Read(/nonexistent/x)
❌ Error ← Read (1 lines, 78 chars)
  ⎿  File does not exist. Note: your current working directory is /home/dev/project
⏺ NoSuchTool
❌ Error ← NoSuchTool (1 lines, 74 chars)
  ⎿  <tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>
⏺ Bash(wrong-param)
❌ Error ← Bash (3 lines, 182 chars)
  ⎿  <tool_use_error>InputValidationError: Bash failed due to the following issues:
      The required parameter \`command\` is missing
      An unexpected parameter \`cmd\` was provided</tool_use_error>
It failed.
`);
  });

  it('of claude with a todo list shows the list, not the calls that change it', () => {
    const screen = screenOf('claude', 'tasks');
    expect(screen).not.toMatch(/TaskCreate|TaskUpdate/);
    expect(screen.split('📋 Todo List\n').at(-1)).toBe(`  ✅ First task
  ✅ Second task

  📊 Progress: 2/2 (100%) | 0 active, 0 pending

Tracked.
`);
  });

  it('of claude against a failing server has a line for each retry', () => {
    expect(screenOf('claude', '529-fallback-model')).toBe(`Agent retries (overloaded, HTTP 529): 1/10 in 603ms
Agent retries (overloaded, HTTP 529): 2/10 in 1s
Switched to Sonnet 4.5 due to high demand for Opus 4.8 (1M context)
from fallback
`);
  });

  it('of codex with parallel tools matches results with calls', () => {
    expect(screenOf('codex', 'parallel-tools')).toBe(`Three at once.
⏺ Bash(/bin/bash -lc 'exit 1')
❌ Error ← Bash (exit code 1)
⏺ Bash(/bin/bash -lc 'sleep 1; echo one')
⏺ Bash(/bin/bash -lc 'sleep 1; echo two')
✅ Result ← Bash (1 lines, 4 chars)
  ⎿  one
✅ Result ← Bash (1 lines, 4 chars)
  ⎿  two
Done.
`);
  });

  it('of codex shows a repeated list only once', () => {
    expect(screenOf('codex', 'plan').split('📋 Todo List\n')).toHaveLength(3);
  });
});
