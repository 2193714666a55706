import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { type LongestTag, openPairedTag, sameWord } from './paired-tag.ts';
import type { VisibleTag } from './visible-text.ts';

/** Watches for one way of claiming. Lines come in order, none of them blank. */
export interface ClaimDetector {
  tag(tag: VisibleTag, line: string): void;
  /** After the tags of a line: the line as a whole. */
  line(text: string): void;
  /** A line that says nothing because it is quoted. */
  quoted(): void;
  claim(): Claim | null;
}

/** Who explains what is missing needs more room than a word does. */
const aroundAQuestion: LongestTag = { lines: 200, chars: 64 * 1024 };

/** All of them as one. The first spec that is met is the claim. */
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
  };
}

function openDetector({ kind, word }: ClaimSpec, prompt: string): ClaimDetector {
  switch (kind) {
    case 'response':
      return openResponse(word);
    case 'promise':
      return openPromise(word);
    case 'question':
      return openQuestion(word, prompt);
    case 'tag':
      return openTag(word);
    default:
      return assertNever(kind);
  }
}

/** The first `<response>` decides. Only where there is none the word alone may be said, as the last line. */
function openResponse(word: string): ClaimDetector {
  const isWord = sameWord(word);
  const tags = openPairedTag('response', isWord, { counts: 'first' });
  let wordIsLast = false;
  return {
    tag: tags.tag,
    line(text) {
      tags.endOfLine(text);
      wordIsLast = isWord(text);
    },
    quoted() {
      tags.interrupt();
      wordIsLast = false;
    },
    claim() {
      if (tags.verdict() === 'word') return { by: 'response', text: word };
      return tags.verdict() === 'silent' && wordIsLast ? { by: 'word', text: word } : null;
    },
  };
}

/** Any `<promise>` with the word: other promises may stand before it and after it. */
function openPromise(word: string): ClaimDetector {
  const tags = openPairedTag('promise', sameWord(word), { counts: 'any' });
  return {
    tag: tags.tag,
    line: tags.endOfLine,
    quoted: tags.interrupt,
    claim: () => (tags.verdict() === 'word' ? { by: 'promise', text: word } : null),
  };
}

/** The first promise that asks something. */
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
  };
}

/** `<WORD>`, `<WORD/>`, or the word on a line of its own, wherever it stands: a sentence that only mentions it is none of these. */
function openTag(word: string): ClaimDetector {
  const isWord = sameWord(word);
  let said = false;
  return {
    tag(tag) {
      said ||= tag.form !== 'closing' && isWord(tag.name);
    },
    line(text) {
      said ||= isWord(text);
    },
    quoted: () => undefined,
    claim: () => (said ? { by: 'tag', text: word } : null),
  };
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** More than anybody reads of one question. */
const LONGEST_CHARS = 2000;

/** What somebody is asked by the content of a promise, `WORD: text`; null when it asks nothing. */
type QuestionIn = (content: string) => string | null;

/**
 * The word counts in any case; a text without a single letter, or that only repeats an example of the prompt (`BLOCKED:reason`), asks nothing. A longer
 * text than anybody reads is cut.
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
    return truncateCodePoints(text, LONGEST_CHARS, '…');
  };
}

/** All of them, also those in code: that is how a prompt shows what to say. */
function promisesIn(prompt: string): readonly string[] {
  return prompt.split(/<promise>/i).flatMap((rest, index) => {
    const [content, end] = index === 0 ? [] : rest.split(/<\/promise>/i, 2);
    return content !== undefined && end !== undefined ? [content] : [];
  });
}

/** Only so much of a text is compared: an example is short. */
function likeAnExample(text: string): string {
  return text.slice(0, LONGEST_CHARS).replaceAll(/\s+/g, ' ').toLowerCase();
}
