import { describe, expect, it } from 'vitest';
import type { ClaimSpec } from '../../journal/words/claim.ts';
import { findClaim } from './claim-scanner.ts';

type Case = readonly [name: string, prompt: string, text: string, by: 'response' | 'promise' | 'tag' | 'word' | null];

const specs: readonly ClaimSpec[] = [
  { kind: 'response', word: 'DONE' },
  { kind: 'promise', word: 'COMPLETE' },
];
const tag = '<response>DONE</response>';
const oneLine = `Fix it, then print ${tag}`;
const withExample = `Fix the tests.\n\nWhen finished, print\n${tag}\nand nothing else.`;
const endingInExample = `Fix the tests.\nWhen finished, print\n${tag}`;
const endingInWord = 'Fix the tests.\nEnd with\nDONE';

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', (_name, prompt, text, by) => {
      expect(findClaim(text, specs, prompt)?.by ?? null).toBe(by);
    });
  });
}

table('the whole prompt, echoed,', [
  ['does not count', withExample, withExample, null],
  ['does not count when it ends in the tag', endingInExample, endingInExample, null],
  ['does not count when it ends in the word', endingInWord, endingInWord, null],
  ['does not count when it is one line', oneLine, oneLine, null],
  ['does not count when it is nothing but the tag', tag, tag, null],
  ['does not count when it is nothing but the word', 'DONE', 'DONE', null],
  ['does not count with Windows line ends', withExample, withExample.replaceAll('\n', '\r\n'), null],
  ['does not count when the prompt had blank lines around it', `\n\n${withExample}\n\n`, withExample, null],
  ['does not count when trailing space is lost', withExample.replaceAll('\n', '  \n'), withExample, null],
  ['does not count between other lines', endingInExample, `user\n${endingInExample}\nagent\nI could not do it.`, null],
  ['does not count after a label on its first line', endingInWord, `Prompt: ${endingInWord}`, null],
  ['does not count in quotation marks', endingInExample, `Prompt: "${endingInExample}"`, null],
  ['does not count after a label when it is one line', oneLine, `Working on: ${oneLine}`, null],
  ['does not count twice', endingInExample, `${endingInExample}\n${endingInExample}`, null],
  ['does not count when its beginning comes twice', withExample, `Fix the tests.\n\n${withExample}`, null],
  ['does not leave its code fence open', 'Run this:\n```\nnpm test', 'Run this:\n```\nnpm test\nDONE', 'word'],
  [
    'does not decide against the tag that follows',
    `Print\n<response>WORKING</response>\nor\n${tag}`,
    `Print\n<response>WORKING</response>\nor\n${tag}\n${tag}`,
    'response',
  ],
  ['does not hide a claim before it', withExample, `${tag}\n${withExample}`, 'response'],
  ['does not hide a claim after it', withExample, `${withExample}\nFixed.\n${tag}`, 'response'],
  ['does not hide a word after it', endingInWord, `${endingInWord}\nDONE`, 'word'],
  ['does not hide a tag glued to its end', 'Fix the tests.\nBe quick.', `Fix the tests.\nBe quick.${tag}`, 'response'],
  ['does not hide a tag glued to its end when it is one line', oneLine, `${oneLine}${tag}`, 'response'],
  ['does not turn text glued to its end into the word', 'Fix the tests.\nWORD: IN', 'Fix the tests.\nWORD: INDONE', null],
]);

table('a line of the prompt, echoed alone,', [
  ['does not count when it says more than the claim', `Fix it.\nThen print ${tag} and stop.`, `I must: \nThen print ${tag} and stop.`, null],
  ['does not count when indented', `Fix it.\nThen print ${tag}.`, `  Then print ${tag}.`, null],
  ['does not decide against a later tag', 'Fix it.\nSay <response>WORKING</response> if not.', `Say <response>WORKING</response> if not.\n${tag}`, 'response'],
  ['does not count in half a tag', 'Fix it.\nThen print <response>\nDONE\n</response> and stop.', 'Then print <response>\nDONE\n</response> and stop.', null],
  ['does not count when it names two tags', `Fix it.\n${tag} or <promise>COMPLETE</promise>`, `${tag} or <promise>COMPLETE</promise>`, null],
  ['counts when it is the bare tag: an agent does as it was told', withExample, tag, 'response'],
  ['counts when it is the bare tag after other text', withExample, `Fixed the tests.\n${tag}`, 'response'],
  ['counts when it is the bare tag in bold', `Fix it.\n**${tag}**`, `Fixed.\n**${tag}**`, 'response'],
  ['counts when it is the bare tag with a full stop', `Fix it and print\n${tag}.`, `${tag}.`, 'response'],
  ['counts when it is the bare tag over lines', 'Print\n<response>\nDONE\n</response>', 'Fixed.\n<response>\nDONE\n</response>', 'response'],
  ['counts when it is half of a bare tag', 'Print\n<response>DONE\n</response>', 'Fixed.\n<response>DONE\n</response>', 'response'],
  ['counts when it is the other half of a bare tag', 'Print\n<response>\nDONE</response>', 'Fixed.\n<response>\nDONE</response>', 'response'],
  ['counts when it is the bare word', endingInWord, 'Fixed.\nDONE', 'word'],
  ['counts when only a part of it is said', `Fix it.\nThen print ${tag} and stop.`, `Then ${tag}`, 'response'],
]);

table('what only resembles the prompt', [
  ['counts when the echo is not whole', endingInExample, `Fix the tests.\n${tag}`, 'response'],
  ['counts when another line is in between', endingInWord, 'Fix the tests.\nEnd with\n\nDONE', 'word'],
  ['counts when the text ends where the prompt goes on', `${tag}\nis what you print.`, `Fixed.\n${tag}`, 'response'],
  ['counts when the line only ends in a prompt of one line', 'Be brief.', `${tag} Be brief.`, 'response'],
  ['counts when the prompt is short and within the tag', 'e', tag, 'response'],
  ['counts when the prompt is empty', '', tag, 'response'],
  ['counts when the prompt is blank', ' \n ', 'DONE', 'word'],
]);
