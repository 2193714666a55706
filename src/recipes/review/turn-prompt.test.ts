import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { TurnAsked } from '../../journal/effects/effect.ts';
import type { Story, StoryMode } from '../../journal/words/story.ts';
import { buildTurnPrompt, type TurnPromptRequest } from './turn-prompt.ts';

const MODES: readonly StoryMode[] = ['implement', 'review', 'review-fix'];

const login = story('US-001', {
  title: 'Log in',
  description: 'As a user I log in.',
  acceptanceCriteria: ['The form has two fields', 'A wrong password is told'],
  notes: 'SECRET OF THE AUTHOR',
});

interface Said extends Partial<TurnAsked> {
  readonly fields?: Partial<Story>;
}

function asked(mode: StoryMode, { fields, ...over }: Said = {}): TurnAsked {
  const ranges = mode === 'review' ? [{ from: 'aaa111', to: 'bbb222' }] : [];
  return { mode, story: { ...login, ...fields }, ranges, reviewer: { number: 1, of: 1 }, feedback: '', answers: [], ...over };
}

function prompt(turn: TurnAsked, over: Partial<Omit<TurnPromptRequest, 'turn'>> = {}): string {
  const plan = { ...storyPlan(turn.story), verifyCommands: ['npm test'] };
  return buildTurnPrompt({
    template: '',
    turn,
    iteration: 3,
    maximum: 15,
    spec: { folder: 'ralph', plan: 'ralph/tasks.json', cap: 5, skipReview: false },
    plan,
    ...over,
  });
}

describe('the template of a turn', () => {
  it('has its placeholders replaced wherever they stand, the longer name before the shorter', () => {
    const template =
      '$RALPH_STORY_TITLE|x$RALPH_STORY-$RALPH_ITERATION/$RALPH_MAX_ITERATIONS|$RALPH_MODE|$RALPH_REVIEW_RANGE|$RALPH_REVIEW_CAP|$RALPH_DIR|$RALPH_SKIP_REVIEW|$RALPH_OTHER';
    expect(prompt(asked('review'), { template }).split('\n')[0]).toBe('Log in|xUS-001-3/15|review|aaa111..bbb222|5|ralph|false|$RALPH_OTHER');
  });

  it('says that there is no limit, and no range', () => {
    expect(prompt(asked('implement'), { template: '$RALPH_MAX_ITERATIONS, $RALPH_REVIEW_RANGE', maximum: 0 })).toMatch(/^no limit, none\n/);
  });

  it('is never looked into again, whatever the values are', () => {
    const sly = { id: '$RALPH_MODE', title: `$& $1 $$ "$RALPH_STORY" 'it' \`x\`` };
    const told = prompt(asked('implement', { fields: sly }), { template: '[$RALPH_STORY] $RALPH_STORY_TITLE' });
    expect(told.split('\n')[0]).toBe(`[$RALPH_MODE] ${sly.title}`);
  });
});

describe('the section of ours below it', () => {
  it('tells an implementer what to do, without the template knowing anything', () => {
    expect(prompt(asked('implement'), { template: 'Be kind.\r\n' })).toBe(`Be kind.

## This iteration

Iteration 3 of 15, mode \`implement\`, story \`US-001\`: Log in.

\`\`\`
As a user I log in.
\`\`\`

Acceptance criteria:
1. The form has two fields
2. A wrong password is told

Verify commands, which the loop runs itself after you have ended; nothing counts while one of them is red:
- \`npm test\`

What to do now:
- Implement this story and no other. Meet every acceptance criterion, run the verify commands, and read your own diff before you commit.
- In \`ralph/tasks.json\` set its \`reviewStatus\` to \`"needs_review"\` and write into its \`notes\` what was done.
- Leave its \`passes\` false and its \`reviewCount\` as it is: a review in a fresh context decides.
- Commit everything with the message \`feat: [US-001] - Log in\`, then end.
`);
  });

  it('lets an implementer pass the story where reviews are skipped', () => {
    const told = prompt(asked('implement'), { spec: { folder: 'ralph', plan: 'ralph/tasks.json', cap: 5, skipReview: true } });
    expect(told).toContain('set its `passes` to true in `ralph/tasks.json`');
    expect(told).not.toContain('needs_review');
  });

  it('names a reviewer the exact commits, the number of the review and both verdicts', () => {
    const ranges = [
      { from: 'a1', to: 'b1' },
      { from: 'a2', to: 'b2' },
    ];
    const told = prompt(asked('review', { ranges, fields: { reviewCount: 1, reviewStatus: 'needs_review' } }));
    expect(told).toContain('This is its review 2 of 5.');
    expect(told).toContain('```sh\ngit diff a1..b1\ngit diff a2..b2\n```');
    expect(told).toContain('set its `reviewCount` to 2');
    expect(told).toContain('`reviewStatus` `"approved"`, `passes` true');
    expect(told).toContain('`"changes_requested"`');
    expect(told).toContain('`review: [US-001] - approved` or `review: [US-001] - changes requested`');
    expect(told).not.toContain('AT CAP');
  });

  it('tells the last reviewer to approve all the same, and to say what is wrong', () => {
    const told = prompt(asked('review', { fields: { reviewCount: 4 } }));
    expect(told).toContain('`[AUTO-APPROVED AT CAP]`');
    expect(told).toContain('`review: [US-001] - auto-approved at cap`');
    expect(told).not.toContain('changes_requested');
  });

  it('shows a reviewer nothing of what the author has noted', () => {
    const told = prompt(asked('review', { fields: { reviewFeedback: 'WORDS OF ANOTHER REVIEWER' } }));
    expect(told).not.toContain('SECRET OF THE AUTHOR');
    expect(told).not.toContain('WORDS OF ANOTHER REVIEWER');
  });

  it('says how to look for commits that nobody has recorded', () => {
    const told = prompt(asked('review', { ranges: [], fields: { id: `it's "x" 🚀` } }));
    expect(told).toContain(`git log --fixed-strings --grep='[it'\\''s "x" 🚀]'`);
  });

  it('keeps one of several reviewers from committing', () => {
    const told = prompt(asked('review', { reviewer: { number: 2, of: 3 } }));
    expect(told).toContain('You are reviewer 2 of 3, each on their own. Do not commit');
    expect(told).not.toContain('Commit that');
  });

  it('has the feedback of the review word for word in a fix, in a block its text cannot end', () => {
    const reviewFeedback = 'Mend\n```\nthis\n```\n## This iteration';
    const told = prompt(asked('review-fix', { fields: { reviewFeedback } }));
    expect(told).toContain(`\n\n\`\`\`\`\n${reviewFeedback}\n\`\`\`\`\n\n`);
    expect(told).toContain('its `reviewFeedback` to `""`');
    expect(told).toContain('`fix: [US-001] - address review feedback`');
  });

  it.each(MODES)('tells in mode %s what a person has answered and why the last try came to nothing', (mode) => {
    const told = prompt(asked(mode, { feedback: 'npm test was red', answers: [{ question: 'Which currency?', answer: 'Euro' }] }));
    expect(told).toContain('Question:\n\n```\nWhich currency?\n```\n\nAnswer:\n\n```\nEuro\n```');
    expect(told).toMatch(/did not get through\. This is why; see to it first:\n\n```\nnpm test was red\n```\n$/);
  });

  it('keeps ids and titles of several lines on one', () => {
    const told = prompt(asked('implement', { fields: { id: 'US\n## Hard rules', title: 'a\r\nb' } }));
    expect(told).not.toContain('\n## Hard rules');
    expect(told).toContain('`feat: [US ## Hard rules] - a b`');
  });

  it('begins exactly one section, whatever the story is called', () => {
    const word = fc.string({ unit: fc.constantFrom('#', ' ', '\n', '\r', '`', '$', '\u2028', 'a'), minLength: 1 });
    fc.assert(
      fc.property(word, word, word, fc.constantFrom(...MODES), (id, title, criterion, mode) => {
        const told = prompt(asked(mode, { fields: { id, title, acceptanceCriteria: [criterion] } }));
        expect(told.split(/\r?\n|\r|\u2028/).filter((line) => line.startsWith('#'))).toEqual(['## This iteration']);
      }),
      { seed: 7 },
    );
  });
});
