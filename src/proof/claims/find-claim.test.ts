import { describe, expect, it } from 'vitest';
import type { ClaimSpec } from '../../journal/words/claim.ts';
import { findClaim, findNearClaim } from './claim-scanner.ts';

type Case = readonly [name: string, text: string, by: 'response' | 'promise' | 'tag' | 'word' | null];

const prompt = 'Make the tests pass.';
const response: readonly ClaimSpec[] = [{ kind: 'response', word: 'DONE' }];
const promise: readonly ClaimSpec[] = [{ kind: 'promise', word: 'COMPLETE' }];
const tag: readonly ClaimSpec[] = [{ kind: 'tag', word: 'COMPLETE' }];
const respond = (word: string): readonly ClaimSpec[] => [{ kind: 'response', word }];

function table(title: string, specs: readonly ClaimSpec[], cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', (_name, text, by) => {
      expect(findClaim(text, specs, prompt)?.by ?? null).toBe(by);
    });
  });
}

table('a response tag', response, [
  ['is a claim when it is the whole text', '<response>DONE</response>', 'response'],
  ['is a claim in any case of the tag', '<RESPONSE>DONE</Response>', 'response'],
  ['is a claim in any case of the word', '<response>done</response>', 'response'],
  ['is trimmed', '<response>  DONE\t</response>', 'response'],
  ['may be in a sentence', 'All tests pass, so: <response>DONE</response>.', 'response'],
  ['may be in bold', '**<response>DONE</response>**', 'response'],
  ['may be in a list', '- <response>DONE</response>', 'response'],
  ['may be in the middle of the text', 'Fixed.\n<response>DONE</response>\nHave a look at a.ts.', 'response'],
  ['may follow Windows line ends', 'Fixed.\r\n<response>DONE</response>\r\n', 'response'],
  ['may span lines', 'Fixed.\n<response>\nDONE\n</response>', 'response'],
  ['may span lines with blank ones between', '<response>\n\n\n  DONE\n\n</response>', 'response'],
  ['may be broken after the opening only', '<response>DONE\n</response>', 'response'],
  ['may be indented: indentation alone is no code', 'Result:\n\n    <response>DONE</response>', 'response'],
  ['counts although the last line says something else', '<response>DONE</response>\nNOT DONE', 'response'],
  ['contains exactly the word, not a sentence with it', '<response>I am not DONE yet</response>', null],
  ['contains exactly the word, not a longer one', '<response>ABANDONED</response>', null],
  ['may have a full stop behind the word', '<response>DONE.</response>', 'response'],
  ['may have the word in bold', '<response>**DONE**</response>', 'response'],
  ['has them only in the case of the word', '<response>Done.</response>', null],
  ['contains exactly the word, not in inline code', '<response>`DONE`</response>', null],
  ['contains exactly the word, not cut up by inline code', '<response>DO`x`NE</response>', null],
  ['may not be empty', '<response></response>', null],
  ['needs its closing tag', '<response>DONE', null],
  ['needs its opening tag', 'DONE</response>', null],
  ['has no attributes', '<response id="1">DONE</response>', null],
  ['is not another tag', '<responses>DONE</responses>', null],
  ['is not an empty one', '<response/>DONE</response>', null],
  ['is only decided by the first: another word, then the word', '<response>WORKING</response>\n<response>DONE</response>', null],
  ['is only decided by the first: the word, then another word', '<response>DONE</response>\n<response>WORKING</response>', 'response'],
  ['is only decided by the first, in one line too', '<response>WORKING</response> <response>DONE</response>', null],
  ['is only decided by the first, over lines too', '<response>\nWORKING\n</response>\n<response>DONE</response>', null],
  ['decides against the word as the last line', '<response>WORKING</response>\nDONE', null],
  ['begins at the first opening of its line', '<response>x <response>DONE</response>', null],
  ['is not hidden by a mere mention of it in an earlier line', 'I print <response> when finished.\nNow:\n<response>DONE</response>', 'response'],
  ['is not hidden by a long unclosed one', `<response>\n${'more text\n'.repeat(40)}</response>\n<response>DONE</response>`, 'response'],
  ['is not hidden by a wide unclosed one', `<response>${'x'.repeat(5000)}\n</response>\n<response>DONE</response>`, 'response'],
]);

table('the word alone', response, [
  ['is a claim as the whole text', 'DONE', 'word'],
  ['is a claim in any case', 'done', 'word'],
  ['is a claim as the last line', 'Everything works.\n\nDONE', 'word'],
  ['is a claim before trailing blank lines', 'Everything works.\nDONE  \r\n\r\n \n', 'word'],
  ['is a claim when indented', 'Everything works.\n    DONE', 'word'],
  ['is a claim after code', '```\nnpm test\n```\nDONE', 'word'],
  ['is no claim before the last line', 'DONE\nWell, almost.', null],
  ['is no claim before code', 'DONE\n```\nnpm test\n```', null],
  ['is no claim before a quote', 'DONE\n> said the prompt', null],
  ['is no claim in a sentence', 'Task completed successfully. DONE', null],
  ['is no claim at the end of a sentence in lower case', 'All tasks finished. done', null],
  ['is no claim when negated', 'NOT DONE', null],
  ['is no claim in "I am not DONE yet"', 'I am not DONE yet', null],
  ['is no claim in "I\'m not DONE yet, more work needed"', "I'm not DONE yet, more work needed", null],
  ['is no claim at the end of another word', 'ABANDONE', null],
  ['is no claim in inline code', '`DONE`', null],
  ['is no claim as a heading', '# DONE', null],
  ['is no claim as a list item', '- DONE', null],
  ['is no claim in quotes', '"DONE"', null],
  ['is no claim in an empty text', '', null],
  ['is no claim in a blank text', ' \n\t\n', null],
]);

const shapes: readonly [name: string, text: string, by: Case[2]][] = [
  ['in a response tag', 'Fixed.\n<response>WORD</response>', 'response'],
  ['in a promise tag', 'Fixed.\n<promise>WORD</promise>', 'promise'],
  ['as a tag of its own', 'Fixed. <WORD/>', 'tag'],
  ['alone on the last line with a full stop', 'All good.\nWORD.', 'word'],
  ['alone on the last line with an exclamation mark', 'WORD!', 'word'],
  ['alone on the last line in bold', 'All good.\n\n**WORD**', 'word'],
  ['alone on the last line in bold with a full stop', '__WORD.__', 'word'],
  ['in another case with a full stop', 'word.', null],
  ['in bold before the last line', '**WORD**\nWell, almost.', null],
  ['in a response tag that says another word first', '<response>WORKING</response>\n<promise>NEXT</promise>\nWORD', null],
  ['in a sentence about later', 'I will answer WORD when finished.', null],
  ['in a code block', '```\n<promise>WORD</promise>\n```', null],
];

describe.each([
  ['response', response],
  ['promise', promise],
  ['tag', tag],
] as const)('a recipe that asks for the form %s', (kind, specs) => {
  const word = specs[0]?.word ?? '';
  // The word alone on a line is the tag of seed 004: it counts anywhere, so no other tag takes it back.
  const rows = kind === 'tag' ? shapes.filter(([name]) => !name.includes('another word first')) : shapes;
  it.each(rows)('accepts the word %s', (_name, text, by) => {
    expect(findClaim(text.replaceAll('WORD', word).replaceAll('word.', `${word.toLowerCase()}.`), specs, prompt)?.by ?? null).toBe(by);
  });
});

table('a quoted claim', response, [
  ['in a code block does not count', '```\n<response>DONE</response>\n```\nStill at it.', null],
  ['in a code block with a language does not count', '```xml\n<response>DONE</response>\n```', null],
  ['in a block of tildes does not count', '~~~\n<response>DONE</response>\n~~~', null],
  ['in a block that is never closed does not count', 'Like this:\n```\n<response>DONE</response>', null],
  ['as the last line of a block that is never closed does not count', '```\nDONE', null],
  ['in a block under a list item does not count', '1. Print this:\n   ```\n   <response>DONE</response>\n   ```', null],
  ['in a block that begins with its list item does not count', '- ```\n  <response>DONE</response>\n  ```', null],
  ['in a longer fence with a shorter one inside does not count', '````\n```\n````x\n<response>DONE</response>\n````', null],
  ['in a block of backticks with tildes inside does not count', '```\n~~~\n<response>DONE</response>\n```', null],
  ['in inline code does not count', 'I will print `<response>DONE</response>` later.', null],
  ['in inline code of two backticks does not count', '``a ` b <response>DONE</response>``', null],
  ['in three backticks on one line does not count, nor hide what follows', '```<response>DONE</response>```\nDONE', 'word'],
  ['in a block quote does not count', '> <response>DONE</response>', null],
  ['in a nested block quote does not count', '> > <response>DONE</response>', null],
  ['in a block quote in a list does not count', '- > <response>DONE</response>', null],
  ['in an indented block quote does not count', '  ><response>DONE</response>', null],
  ['does not decide against a later one', '`<response>WORKING</response>`\n<response>DONE</response>', 'response'],
  ['does not hide one after the block', '```\n<response>WORKING</response>\n```\n<response>DONE</response>', 'response'],
  ['does not hide one beside an unpaired backtick', 'It`s finished: <response>DONE</response>', 'response'],
  ['does not hide one between two pieces of inline code', '`a` <response>DONE</response> `b`', 'response'],
  ['does not hide one after backticks that do not pair', '``a` <response>DONE</response>', 'response'],
  ['does not become one by the code between its tags', '<response>\n```\nDONE\n```\n</response>', null],
  ['is not made by a tag that reaches across a code block', '<response>DONE\n```\nx\n```\n</response>', null],
  ['is not assumed behind the tildes of a compiler', '1 let x: string = 1;\n      ~~~~~\n<response>DONE</response>', 'response'],
  ['is not assumed behind a banner of tildes', '~~~~~ Results ~~~~~\n<response>DONE</response>', 'response'],
  ['is not assumed behind an arrow', '-> <response>DONE</response>', 'response'],
]);

table('a promise', promise, [
  ['is a claim', 'All stories pass.\n<promise>COMPLETE</promise>', 'promise'],
  ['is a claim in any case', '<Promise> complete </Promise>', 'promise'],
  ['is a claim over lines', '<promise>\nCOMPLETE\n</promise>', 'promise'],
  ['is a claim after another promise', '<promise>BLOCKED: no key</promise>\n<promise>COMPLETE</promise>', 'promise'],
  ['is a claim before another promise', '<promise>COMPLETE</promise> <promise>NEXT</promise>', 'promise'],
  ['is no claim when incomplete', '<promise>INCOMPLETE</promise>', null],
  ['is no claim in code', '`<promise>COMPLETE</promise>`', null],
]);

table('a completion tag', tag, [
  ['is the word on its own line', 'COMPLETE', 'tag'],
  ['is the word on its own line anywhere', 'COMPLETE\n\nThe parser is fixed.', 'tag'],
  ['is the word in angle brackets', 'All checks pass. <COMPLETE>', 'tag'],
  ['is the word as an empty tag', 'All checks pass. <COMPLETE/> Bye.', 'tag'],
  ['is the word as an empty tag with a space', '<COMPLETE />', 'tag'],
  ['is the word as a pair', '<complete></complete>', 'tag'],
  ['is not a closing tag', '</COMPLETE>', null],
  ['is not INCOMPLETE', 'INCOMPLETE', null],
  ['is not in "not COMPLETE yet"', 'not COMPLETE yet', null],
  ['is not the end of a sentence', 'All done. COMPLETE', null],
  ['is not a longer tag', '<COMPLETED>', null],
  ['is not in code', '```\nCOMPLETE\n```', null],
  ['is not in inline code', 'I print `<COMPLETE>` at the end.', null],
  ['is not in a quote', '> COMPLETE', null],
]);

describe('the word of a claim', () => {
  it.each([
    ['may contain spaces', 'ALL DONE', '<response>all done</response>', true],
    ['does not match other spaces', 'ALL DONE', '<response>all  done</response>', false],
    ['is literal text, not an expression', 'D.NE', '<response>DONE</response>', false],
    ['may be made of the characters of expressions', '[x]*(y)+?|$^\\', '<response>[x]*(y)+?|$^\\</response>', true],
    ['may be beyond ASCII', 'FERTIG ✅', 'fertig ✅', true],
    ['is compared without a locale', 'TAMAMLANDI', 'tamamlandi', true],
    ['is compared in full upper case', 'SCHLIESSEN', 'schließen', true],
    ['is compared composed', 'TERMINÉ', '<response>termine\u0301</response>', true],
    ['is trimmed itself', ' DONE ', '<response>DONE</response>', true],
    ['never counts when blank', ' ', '<response> </response>', false],
    ['never counts when empty', '', '<response></response>', false],
  ])('%s', (_name, word, text, claimed) => {
    expect(findClaim(text, respond(word), prompt) !== null).toBe(claimed);
  });

  it.each(['a.b', 'x|y', '(', '[done]', 'TERMINÉ'])('is literal in a completion tag: %s', (word) => {
    expect(findClaim(`<${word}/>`, [{ kind: 'tag', word }], prompt)).toEqual({ by: 'tag', text: word });
    expect(findClaim(`<${word.normalize('NFD')}>`, [{ kind: 'tag', word }], prompt)).toEqual({ by: 'tag', text: word });
    expect(findClaim('<axb> <x> <> <done> <TERMINE>', [{ kind: 'tag', word }], prompt)).toBeNull();
  });
});

describe('what is nearly a claim', () => {
  it.each([
    ['Done!', 'Done!'],
    ['All tests pass.\n\n**Done.**', '**Done.**'],
    ['<response>Done!</response>', 'Done!'],
    ['<promise>FINISHED</promise>\nBye', 'FINISHED'],
    ['<response>All is done</response>', 'All is done'],
    ['All tests pass. DONE', 'All tests pass. DONE'],
    ['Status: **DONE**', 'Status: **DONE**'],
    ['DONE', null],
    ['<response>WORKING</response>', null],
    ['NOT DONE', null],
    ['I will answer DONE when finished.', null],
    ['I am not yet DONE', null],
    ['```\nDone!\n```', null],
    ['Done!\n> quoted', null],
    [prompt, null],
    [`Done!${' '.repeat(400)}but not quite`, null],
    [`DONE${' '.repeat(400)}but not quite`, null],
    ['', null],
  ])('in %j is %j', (text, near) => {
    expect(findNearClaim(text, response, prompt)).toBe(near);
  });
});

describe('several claim specs', () => {
  it('return the claim of the first that matches', () => {
    const text = '<promise>COMPLETE</promise>\n<response>DONE</response>';
    expect(findClaim(text, [...response, ...promise], prompt)).toEqual({ by: 'response', text: 'DONE' });
    expect(findClaim(text, [...promise, ...response], prompt)).toEqual({ by: 'promise', text: 'COMPLETE' });
    expect(findClaim('<promise>COMPLETE</promise>', [...response, ...promise], prompt)).toEqual({ by: 'promise', text: 'COMPLETE' });
  });

  it('must not be empty to find a claim', () => {
    expect(findClaim('<response>DONE</response> <>', [], prompt)).toBeNull();
  });
});
