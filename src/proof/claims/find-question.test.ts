import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import type { ClaimSpec } from '../../journal/words/claim.ts';
import { findClaim, openClaimScanner } from './claim-scanner.ts';

type Case = readonly [name: string, text: string, asked: string | null];

const BLOCKED: ClaimSpec = { kind: 'question', word: 'BLOCKED' };
const DECIDE: ClaimSpec = { kind: 'question', word: 'DECIDE' };
const COMPLETE: ClaimSpec = { kind: 'promise', word: 'COMPLETE' };
const specs = [BLOCKED, DECIDE, COMPLETE];

const askedIn = (text: string, prompt = 'Implement the story.') => {
  const claim = findClaim(text, specs, prompt);
  return claim === null ? null : `${claim.by}: ${claim.text}`;
};

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', (_name, text, asked) => {
      expect(askedIn(text)).toBe(asked);
    });
  });
}

table('a question', [
  ['may say that the agent is blocked', '<promise>BLOCKED:no key for the API</promise>', 'blocked: no key for the API'],
  ['may ask for a decision', '<promise>DECIDE: REST or GraphQL?</promise>', 'question: REST or GraphQL?'],
  ['may be asked in any case', '<Promise>blocked: no key</PROMISE>', 'blocked: no key'],
  ['may have space around the word', '<promise> BLOCKED : no key </promise>', 'blocked: no key'],
  ['may be in a sentence', 'I cannot go on. <promise>BLOCKED:no key</promise> Sorry.', 'blocked: no key'],
  ['may span lines', '<promise>\nDECIDE:\nREST\n\nor GraphQL?\n</promise>', 'question: REST\nor GraphQL?'],
  ['may span more lines than a word', `<promise>BLOCKED:\n${'no key\n'.repeat(60)}</promise>`, `blocked: ${'no key\n'.repeat(60).trim()}`],
  ['may contain colons', '<promise>DECIDE:a: REST, b: GraphQL</promise>', 'question: a: REST, b: GraphQL'],
  ['may contain inline code', '<promise>BLOCKED:`API_KEY` is not set</promise>', 'blocked: `API_KEY` is not set'],
  ['may contain brackets', '<promise>DECIDE:Array<T> or T[]? a < b</promise>', 'question: Array<T> or T[]? a < b'],
  ['may be of one letter in any script', '<promise>DECIDE:是</promise>', 'question: 是'],
  ['is the first of several', '<promise>BLOCKED:one</promise>\n<promise>BLOCKED:two</promise>', 'blocked: one'],
  ['may follow an empty one', '<promise>BLOCKED:</promise>\n<promise>BLOCKED:two</promise>', 'blocked: two'],
  ['may follow one that was only begun', 'I could print <promise>BLOCKED: here\nbut:\n<promise>BLOCKED:two</promise>', 'blocked: two'],
  ['has a text', '<promise>BLOCKED:</promise>', null],
  ['has more than space for a text', '<promise>BLOCKED: \t\n </promise>', null],
  ['has more than dots for a text', 'I never printed <promise>BLOCKED:...</promise> or <promise>DECIDE:…</promise>.', null],
  ['has a colon', '<promise>BLOCKED</promise>', null],
  ['has exactly the word', '<promise>UNBLOCKED: all fine</promise>', null],
  ['has the word before the colon', '<promise>I am BLOCKED: no key</promise>', null],
  ['needs its end', '<promise>BLOCKED:no key', null],
  ['needs its beginning', 'BLOCKED:no key</promise>', null],
  ['needs its tag', 'BLOCKED: no key', null],
  ['is not made in another tag', '<response>BLOCKED:no key</response>', null],
  ['is not made in a code block', '```\n<promise>BLOCKED:no key</promise>\n```', null],
  ['is not made in a block that is never closed', '```\n<promise>BLOCKED:no key</promise>', null],
  ['is not made in inline code', 'I may print `<promise>BLOCKED:no key</promise>`.', null],
  ['is not made in a block quote', '> <promise>BLOCKED:no key</promise>', null],
  ['does not reach across a code block', '<promise>BLOCKED:\n```\nx\n```\nno key</promise>', null],
]);

describe('a question and "done" in one text', () => {
  it.each([
    ['before it', '<promise>BLOCKED:no key</promise>\n<promise>COMPLETE</promise>'],
    ['after it', '<promise>COMPLETE</promise>\n<promise>BLOCKED:no key</promise>'],
    ['in its line', '<promise>COMPLETE</promise> <promise>BLOCKED:no key</promise>'],
  ])('is a question, %s', (_name, text) => {
    expect(askedIn(text)).toBe('blocked: no key');
  });

  it('is "done" if questions come last', () => {
    expect(findClaim('<promise>BLOCKED:no key</promise>\n<promise>COMPLETE</promise>', [COMPLETE, BLOCKED], '')).toEqual({ by: 'promise', text: 'COMPLETE' });
  });

  it('is "done" if nothing is asked', () => {
    expect(askedIn('<promise>BLOCKED:</promise><promise>COMPLETE</promise>')).toBe('promise: COMPLETE');
  });
});

describe('the word of a question', () => {
  it('may be any word: all except BLOCKED ask a question', () => {
    expect(findClaim('<promise>help: me</promise>', [{ kind: 'question', word: 'HELP' }], '')).toEqual({ by: 'question', text: 'me' });
    expect(findClaim('<promise>BLOCKED: me</promise>', [{ kind: 'question', word: 'blocked' }], '')).toEqual({ by: 'blocked', text: 'me' });
  });
});

describe('a prompt that shows how to ask', () => {
  const inCode = 'Do the story.\nIf you are stuck print `<promise>BLOCKED:reason</promise>`,\nto choose `<promise>DECIDE:question</promise>`.\nGo.';
  const bare = 'Do the story.\nIf you are stuck print\n<promise>BLOCKED:reason</promise>\nor\n<promise>DECIDE:<your question></promise>\nGo.';

  it.each([
    ['whole', inCode, inCode],
    ['whole, with bare examples', bare, bare],
    ['by a line', inCode, 'The task says: If you are stuck print `<promise>BLOCKED:reason</promise>`,'],
    ['by a line that has lost its code marks', inCode, 'If you are stuck print <promise>BLOCKED:reason</promise>,'],
    ['by its example alone', bare, '<promise>BLOCKED:reason</promise>'],
    ['by its example in other words', inCode, 'I would print <promise>Blocked: Reason</promise>.'],
    ['by an example that holds brackets', bare, '<promise>DECIDE:<your question></promise>'],
  ])('asks nothing if it is echoed %s', (_name, prompt, text) => {
    expect(askedIn(text, prompt)).toBeNull();
  });

  it.each([
    ['after its echo', inCode, `${inCode}\n<promise>BLOCKED:no key</promise>`],
    ['that holds the example', bare, '<promise>BLOCKED:no key</promise>'],
    ['with its last line glued to it', inCode, `${inCode}<promise>BLOCKED:no key</promise>`],
  ])('does not hide a question %s', (_name, prompt, text) => {
    expect(askedIn(text, prompt)).toBe('blocked: no key');
  });
});

describe('a very long question', () => {
  it('is kept completely up to 2,000 characters', () => {
    const text = '🙂a'.repeat(1000);
    expect(askedIn(`<promise>BLOCKED:${text}</promise>`)).toBe(`blocked: ${text}`);
    expect(askedIn(`<promise>BLOCKED:${text}b</promise>`)).toBe(`blocked: ${text}…`);
  });

  it('of a megabyte in one line is cut, and takes linear time', async () => {
    const answer = `<promise>BLOCKED:${'x'.repeat(1_000_000)}</promise>`;
    expect(askedIn(answer)?.length).toBe('blocked: '.length + 2001);
    expect(await cpuMs(() => askedIn(answer))).toBeLessThan(2_000);
  });

  it('of a megabyte in many lines is no longer a tag, and hides no later one', () => {
    expect(askedIn(`<promise>BLOCKED:\n${'why\n'.repeat(250_000)}</promise>\n<promise>DECIDE:which?</promise>`)).toBe('question: which?');
  });

  it('is the same whether it arrives line by line or at once', () => {
    const scanner = openClaimScanner(specs, '');
    for (const line of ['<promise>DECIDE:', 'REST', '', 'or GraphQL?', '</promise>']) scanner.line(line);
    expect(scanner.claim()).toEqual({ by: 'question', text: 'REST\nor GraphQL?' });
  });
});
