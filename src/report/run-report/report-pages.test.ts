import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/given.ts';
import { historyOf } from '../../../test/support/history-of.ts';
import { checksRun, loopStarted, pytest, stopped, tag } from '../../../test/support/loop-journal.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { reportPageHtml } from './report-page-html.ts';
import { reportPageMarkdown } from './report-page-markdown.ts';
import { runReport } from './run-report.ts';

const when = (atMs: number) => `t${atMs / 1000}`;
const HOSTILE = `</pre></title></style><script>alert(1)</script><img src=x onerror=alert(1)>" onload='x' \u001b[2J\u202e [a](javascript:x) \`\`\` @all`;

const hostile = runReport(
  historyOf(
    given(
      loopStarted({}, { prompt: { from: 'text', text: HOSTILE } }),
      opened(1),
      agentBegun(1),
      ended(1, { claim: { ...tag, text: HOSTILE }, verdict: 'failed', why: HOSTILE, last_words: HOSTILE }),
      { type: 'paths.restored', key: 'p', iteration: 1, attempt: 1, paths: [HOSTILE], kept: null },
      ...checksRun(1, [[{ ...pytest, command: HOSTILE }, 1]], 'workspace', { output: `${HOSTILE}\n${HOSTILE}` }),
      closed(1),
      stopped(notDone('stuck', HOSTILE)),
    ),
  ),
  { status: 'stopped', runFolder: `/runs/${HOSTILE}` },
);

describe('the page', () => {
  const page = reportPageHtml(hostile, when);

  it('shows everything that an agent wrote as text', () => {
    const tags = new Set([...page.matchAll(/<([a-z!/][^\s>]*)/g)].map(([, name]) => name?.replace('/', '')));
    expect([...tags].filter((tag) => ['script', 'img', 'a', 'iframe'].includes(tag ?? ''))).toEqual([]);
    expect(page.match(/<style>/g)).toHaveLength(1);
    // An attribute of ours is a word, a number or a list of coordinates: never text of somebody else.
    for (const [, value] of page.slice(page.indexOf('<body>')).matchAll(/="([^"]*)"/g)) expect(value).toMatch(/^[\w .-]*$/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  });

  it('needs no script and nothing from elsewhere, and forbids both', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`);
    expect(page).not.toMatch(/<(?:script|link|img|iframe)|url\(|@import|https?:/);
    expect(page).toContain('prefers-color-scheme:dark');
  });

  it('draws a bar for each iteration', () => {
    expect(page.match(/<rect class="red"/g)).toHaveLength(1);
  });
});

describe('the Markdown', () => {
  it('shows everything that an agent wrote as text', () => {
    const text = reportPageMarkdown(hostile, when);
    const outside = text.replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/<(?:script|img)|\]\(|(?<!&#96;)`|@all/);
    expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  });
});
