import { assertNever } from '../../kit/pure/assert-never.ts';
import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { type LongestTag, openPairedTag } from './paired-tag.ts';
import { openQuestionIn } from './question-in.ts';
import { sameWord } from './same-word.ts';
import type { VisibleTag } from './visible-tags.ts';

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
