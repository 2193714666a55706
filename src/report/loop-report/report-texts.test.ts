import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/given.ts';
import { historyOf } from '../../../test/support/history-of.ts';
import { allPassed, loopStarted, stopped, twoIterations } from '../../../test/support/loop-journal.ts';
import { type LoopReport, loopReport } from './loop-report.ts';
import { reportGithub } from './report-github.ts';
import { reportJson } from './report-json.ts';
import { reportMarkdown } from './report-markdown.ts';

const good = loopReport(historyOf(given(loopStarted(), ...twoIterations, stopped(allPassed))), ' src/auth.py | 4 ++--\n 1 file changed\n');
const [first] = good.iterations;
const bad: LoopReport = { ...good, status: 'failed', stop_reason: 'max_iterations', iterations: first ? [first] : [], errors: ['Iteration 1: API down'] };

describe('the JSON report', () => {
  it('is the report and ends with a newline', () => {
    expect(JSON.parse(reportJson(good))).toEqual(good);
    expect(reportJson(good).endsWith('}\n')).toBe(true);
  });
});

describe('the Markdown report', () => {
  it('is a page of tables', () => {
    expect(reportMarkdown(good)).toBe(`# Execution Report

| Fact | Value |
| --- | --- |
| Status | success |
| Stop reason | all_checks_passed |
| Task | Add sign-in |
| Agent | <code>claude</code>, model opus |
| Iterations | 2 |
| Total cost | $0.0423 |
| Duration | 15.0s |
| Run | 20260115-044055-abc123 |
| Sandbox | guard |

## Iterations

| Iteration | Result | Checks | Tag | Steps | Cost | Duration |
| --- | --- | --- | --- | --- | --- | --- |
| 1 | FAIL | 1/2 | no | 3 | $0.0200 | 5.0s |
| 2 | PASS | 2/2 | yes | 2 | $0.0223 | 5.0s |

## Checks

| Check | At the start | At the end |
| --- | --- | --- |
| <code>pytest tests/</code> | FAIL | PASS |
| <code>ruff check src/</code> | PASS | PASS |

## Files modified

- <code>src/auth.py</code>
`);
  });

  it('ends with the red checks and the problems', () => {
    expect(reportMarkdown(bad)).toContain(`## Red checks

### <code>ruff check src/</code>

\`\`\`
src/auth.py:42:1: F841 unused
Found 1 error.
\`\`\`
`);
    expect(reportMarkdown(bad)).toContain('## Errors\n\n- Iteration 1: API down\n');
  });
});

describe('the summary for GitHub', () => {
  it('shows the result at a glance', () => {
    expect(reportGithub(good)).toMatch(
      /^## OK ralph: Add sign-in\n\nThe agent said &#34;COMPLETE&#34; and all checks are green\.\n\n2 iteration\(s\), \$0\.0423, 15\.0s, all_checks_passed\n\n\| Check /,
    );
    expect(reportGithub(bad)).toMatch(/^## WARN ralph: Add sign-in\n/);
  });

  it('collapses everything else', () => {
    expect(reportGithub(bad).match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary>Iterations</summary>',
      '<summary>Output of <code>ruff check src/</code></summary>',
      '<summary>Files modified (1)</summary>',
      '<summary>Errors</summary>',
    ]);
    expect(reportGithub(bad).match(/^<details>$/gm)).toHaveLength(4);
    expect(reportGithub(bad).match(/^<\/details>$/gm)).toHaveLength(4);
  });

  it('leaves out outputs that are too long to read', () => {
    const long = { name: 'x', passed: false, output: 'y'.repeat(150_000), flaky: false };
    const text = reportGithub({ ...bad, iterations: first ? [{ ...first, check_results: [long, long, long] }] : [] });
    expect(text.match(/Output of/g)).toHaveLength(1);
  });
});

describe('untrusted text in a report', () => {
  const nasty = '</code></details> | `x` **b** [l](http://e.example) <img src=x> @all $x$ __init__\n# h';
  const hostile: LoopReport = {
    ...bad,
    task: nasty,
    checks: [nasty],
    errors: [nasty],
    files_modified: [nasty],
    iterations: first ? [{ ...first, check_results: [{ name: nasty, passed: false, output: '```\n</details>\n\u001b[31mred\n', flaky: false }] }] : [],
  };

  it.each([
    ['Markdown', reportMarkdown],
    ['GitHub', reportGithub],
  ])('stays text in %s', (_name, write) => {
    const text = write(hostile);
    const outside = text.replaceAll(/^(`{4,})\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/<img|\*\*|\[l\]|`|@all|http:|__init__/);
    expect(text).not.toContain('\u001b');
    expect(outside).not.toMatch(/^# h/m);
    expect(outside.match(/<\/code>/g)?.length).toBe(outside.match(/<code>/g)?.length);
    expect(text).toContain('````\n```\n</details>\nred\n````');
    for (const row of outside.split('\n').filter((line) => line.startsWith('| &') || line.startsWith('| <code>'))) expect(row.split('|')).toHaveLength(5);
  });
});
