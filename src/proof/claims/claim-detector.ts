import { type Claim, type ClaimSpec, LONGEST_QUESTION } from '../../journal/words/claim.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { type LongestTag, openPairedTag, sameWord, type VisibleTag } from './tags.ts';
import { wordForDone } from './word-for-done.ts';

/** Watches for one kind of claim. Lines come in order, without blank ones. */
export interface ClaimDetector {
  tag(tag: VisibleTag, line: string): void;
  /** Called with the whole line, after its tags. */
  line(text: string): void;
  /** Called for a line that does not count because it is quoted. */
  quoted(): void;
  claim(): Claim | null;
  /** What somebody might take for a claim, if there is none. */
  near(): string | null;
}

/** An explanation of what is missing is longer than a word. */
const aroundAQuestion: LongestTag = { lines: 200, chars: 64 * 1024 };

/** Combines detectors. The first spec that matches is the claim. */
export function openClaimDetectors(specs: readonly ClaimSpec[], prompt: string): ClaimDetector {
  const detectors = specs.map((spec) => openDetector(spec, prompt));
  return {
    tag(tag, line) {
      for (const detector of detectors) detector.tag(tag, line);
    },
    line(text) {
      for (const detector of detectors) detector.line(text);
    },
    quoted() {
      for (const detector of detectors) detector.quoted();
    },
    claim: () => detectors.map((detector) => detector.claim()).find((claim) => claim !== null) ?? null,
    near: () => detectors.map((detector) => detector.near()).find((near) => near !== null) ?? null,
  };
}

function openDetector({ kind, word }: ClaimSpec, prompt: string): ClaimDetector {
  return kind === 'question' ? openQuestion(word, prompt) : openDone(kind, word);
}

/**
 * Accepts the configured word in every shape that agents use: in `<response>` or `<promise>`, as the tag `<WORD>` or `<WORD/>`, or alone as the last line.
 * The recipe's own shape is looked at first. The first `<response>` decides: another word in it says "not done".
 */
function openDone(kind: Exclude<ClaimSpec['kind'], 'question'>, word: string): ClaimDetector {
  const isWord = sameWord(word);
  const { isSaidBy, isMeantBy } = wordForDone(word);
  let nearInTag: string | null = null;
  let nearAtEnd: string | null = null;
  const isSaidInTag = (content: string) => {
    if (isMeantBy(content)) nearInTag ??= content.trim();
    return isSaidBy(content);
  };
  const response = openPairedTag('response', isSaidInTag, { counts: 'first' });
  const promise = openPairedTag('promise', isSaidInTag, { counts: 'any' });
  let ownTag = false;
  let aloneOnLine = false;
  let aloneAtEnd = false;
  const shapes: Readonly<Record<typeof kind, () => boolean>> = {
    response: () => response.verdict() === 'word',
    promise: () => promise.verdict() === 'word',
    // Seed 004: the word alone on a line counts anywhere in the text.
    tag: () => ownTag || (kind === 'tag' && aloneOnLine),
  };
  return {
    tag(tag, line) {
      response.tag(tag, line);
      promise.tag(tag, line);
      ownTag ||= tag.form !== 'closing' && isWord(tag.name);
    },
    line(text) {
      response.endOfLine(text);
      promise.endOfLine(text);
      aloneOnLine ||= isWord(text);
      aloneAtEnd = isSaidBy(text);
      nearAtEnd = isMeantBy(text) ? text.trim() : null;
    },
    quoted() {
      response.interrupt();
      promise.interrupt();
      aloneAtEnd = false;
      nearAtEnd = null;
    },
    claim() {
      const by = shapes[kind]() ? kind : response.verdict() === 'other' ? undefined : SHAPES.find((shape) => shapes[shape]());
      if (by !== undefined) return { by, text: word };
      return response.verdict() !== 'other' && aloneAtEnd ? { by: 'word', text: word } : null;
    },
    near: () => nearInTag ?? nearAtEnd,
  };
}

const SHAPES = ['response', 'promise', 'tag'] as const;

/** Takes the first promise that asks something. */
function openQuestion(word: string, prompt: string): ClaimDetector {
  const questionIn = openQuestionIn(word, prompt);
  const by = sameWord('BLOCKED')(word) ? 'blocked' : 'question';
  let question: string | null = null;
  const asks = (content: string) => {
    question = questionIn(content);
    return question !== null;
  };
  const tags = openPairedTag('promise', asks, { counts: 'any', longest: aroundAQuestion });
  return {
    tag: tags.tag,
    line: tags.endOfLine,
    quoted: tags.interrupt,
    claim: () => (question === null ? null : { by, text: question }),
    near: () => null,
  };
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** The question in the content of a promise, `WORD: text`; null if it asks nothing. */
type QuestionIn = (content: string) => string | null;

/**
 * The word counts in any case. A text without a letter or digit, or one that only repeats an example of the prompt (`BLOCKED:reason`), asks nothing. A text
 * that is too long is cut.
 */
function openQuestionIn(word: string, prompt: string): QuestionIn {
  const isWord = sameWord(word);
  const textOf = (content: string): string => {
    const colon = content.indexOf(':');
    return colon !== -1 && isWord(content.slice(0, colon)) ? content.slice(colon + 1).trim() : '';
  };
  const examples = new Set(promisesIn(prompt).map((content) => likeAnExample(textOf(content))));
  return (content) => {
    const text = textOf(content);
    if (!SAYS_SOMETHING.test(text) || examples.has(likeAnExample(text))) return null;
    return truncateCodePoints(text, LONGEST_QUESTION, '…');
  };
}

/** All promises, including those in code, because prompts show examples as code. */
function promisesIn(prompt: string): readonly string[] {
  return prompt.split(/<promise>/i).flatMap((rest, index) => {
    const [content, end] = index === 0 ? [] : rest.split(/<\/promise>/i, 2);
    return content !== undefined && end !== undefined ? [content] : [];
  });
}

/** Compares only the beginning of a text, because an example is short. */
function likeAnExample(text: string): string {
  return text.slice(0, LONGEST_QUESTION).replaceAll(/\s+/g, ' ').toLowerCase();
}
