import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import { buildTurnPrompt, tellsToWriteVerdicts } from '../../recipes/review/turn-prompt.ts';
import { freshFiles } from './plan-folder.ts';

const NOW_MS = Date.UTC(2025, 5, 15, 10, 30);
const files = await freshFiles({ project: 'x', branch: 'ralph/x', nowMs: NOW_MS });

describe('the files of a new plan', () => {
  it('have their placeholders filled in, once', async () => {
    const odd = await freshFiles({ project: 'The {{DATE}} of $& things', branch: 'ralph/things', nowMs: NOW_MS });
    expect(odd['progress.txt']).toBe(
      '# Ralph Progress Log\nStarted: 2025-06-15\nPRD: The {{DATE}} of $& things\n\n## Codebase Patterns\n- (Reusable patterns discovered during this loop)\n\n---\n',
    );
    expect(odd['prd.md']).toMatch(/^# PRD: The \{\{DATE\}\} of \$& things\n/);
    expect(odd['prd.md']).not.toContain('{{PROJECT_NAME}}');
    expect(odd['prompt.md']).toContain('Iteration $RALPH_ITERATION of $RALPH_MAX_ITERATIONS');
  });

  it('have one story to fill in, which nobody has begun', () => {
    expect(JSON.parse(files['tasks.json'])).toEqual({
      project: 'x',
      branchName: 'ralph/x',
      description: '',
      verifyCommands: [],
      userStories: [story('US-001', { title: '', acceptanceCriteria: [] })],
    });
  });

  it('have no branch where nobody names one', async () => {
    const { 'tasks.json': text } = await freshFiles({ project: 'x', branch: null, nowMs: NOW_MS });
    expect(JSON.parse(text)).toMatchObject({ project: 'x', branchName: 'ralph/feature-name' });
  });
});

describe('the template of the PRD', () => {
  it.each([
    '## 1. Summary _(Required, all tiers)_',
    '## 2. Problem Statement _(Required, all tiers)_',
    '## 3. Goals _(Required M/L, Optional S)_',
    '## 4. Non-Goals _(Required M/L, Recommended S)_',
    '## 5. Background & Context _(Recommended M/L)_',
    '## 6. Technical Design _(Required, all tiers)_',
    '### 6a. Database Changes',
    '### 6b. API Contracts',
    '### 6c. Core Logic Changes',
    '### 6d. Frontend Changes',
    '### 6e. Infrastructure / Config Changes',
    '## 7. Constraints _(Recommended M/L)_',
    '## 8. Edge Cases & Error Handling _(Recommended M/L)_',
    '## 9. Risks & Mitigations _(Recommended M/L)_',
    '## 10. Open Questions _(Recommended, all tiers)_',
  ])('has the section %s, and says what to write there', (heading) => {
    const template = files['prd.md'];
    expect(template.slice(template.indexOf(`\n${heading}\n`))).toMatch(new RegExp(`^\\n${heading.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}\\n\\n<!--`));
  });
});

describe('the template of the prompt', () => {
  it('leaves no placeholder, and has the steps, messages, signals and rules of the seed', () => {
    const turn = {
      mode: 'review' as const,
      story: story('US-001', { title: 'Log in', notes: 'SECRET OF THE AUTHOR' }),
      ranges: [{ from: 'aaa', to: 'bbb' }],
      reviewer: { number: 1, of: 1 },
      feedback: '',
      answers: [],
      checks: [],
    };
    const told = buildTurnPrompt({
      template: files['prompt.md'],
      turn,
      iteration: 3,
      maximum: 15,
      spec: { folder: 'ralph', plan: 'ralph/tasks.json', cap: 5, skipReview: false },
      plan: storyPlan(turn.story),
      shown: { canRead: true, changes: { patch: '+made', isWhole: true, files: [] } },
    });
    expect(told).not.toContain('$RALPH');
    expect(told).not.toContain('SECRET OF THE AUTHOR');
    for (const said of [
      'Iteration 3 of 15',
      ...[1, 2, 3, 4, 5, 6].map((step) => `## Step ${step}: `),
      ...['### implement\n', '### review\n', '### review-fix\n', '## Hard rules\n'],
      '```diff\n+made\n```',
      '`feat: [US-001] - Log in`',
      '`"approved"`',
      '`"changes_requested"`',
      '`fix: [US-001] - address review feedback`',
      '`<promise>COMPLETE</promise>`',
      '`<promise>BLOCKED:reason</promise>`',
      '`<promise>DECIDE:question</promise>`',
    ])
      expect(told).toContain(said);
    expect(tellsToWriteVerdicts(files['prompt.md'])).toBe(false);
  });
});
