import * as z from '../../kit/pure/shape.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { ChangedDecider } from './proof.ts';

/**
 * What counts as "I am done" in an agent's text. `response`, `promise` and `tag` name the shape that the recipe asks for; `src/proof/claims/` accepts the word
 * in the other shapes too. question: `<promise>WORD:text</promise>`, where the text is a question to a person.
 */
export const ClaimSpec = z.strictObject({
  kind: z.enum(['response', 'promise', 'question', 'tag']),
  word: z.string().min(1),
});
export type ClaimSpec = Readonly<z.infer<typeof ClaimSpec>>;

/**
 * An agent says that it is done, or that it needs a person (`blocked`, `question`). A DONE file and a task's state are claims too, not only words in a text.
 */
export const Claim = z.strictObject({
  by: z.enum(['response', 'promise', 'tag', 'word', 'done-file', 'task-state', 'blocked', 'question']),
  text: z.string(),
});
export type Claim = Readonly<z.infer<typeof Claim>>;

/** What an agent process is started for. Only `work` can claim to be done, and only its fatal errors end the run. */
export const AttemptRole = z.enum(['work', 'review', 'message', 'resolve']);
export type AttemptRole = z.infer<typeof AttemptRole>;

/** A question to a person: an agent is blocked, wants a decision, or has changed deciders. */
export const Question = z.strictObject({
  kind: z.enum(['blocked', 'question', 'held']),
  text: z.string(),
  /** For a held claim: what the person has to look at. */
  held: z.strictObject({ tree: z.string(), changed: z.array(ChangedDecider) }).optional(),
});
export type Question = Readonly<z.infer<typeof Question>>;

export const QUESTION_WORDS = { blocked: 'is blocked', question: 'needs a decision', held: 'is held' } as const;

/** The command that answers a question, about a story or task if it has one. */
export function howToAnswer({ task }: { readonly task: string | null }, run: string): string {
  return `ralph answer --run ${run}${task === null ? '' : ` --task ${shellQuote(task)}`} "…"`;
}

/** What `ralph task complete` and `ralph ask` print for an agent. In the output of a plain command they are not its own words. */
export const ANSWERS_TO_AGENTS = {
  complete: 'The loop itself checks its outputs and runs its verify commands once you have ended.',
  ask: 'The question is noted. End now if you cannot go on without the answer: it will be in a later prompt.',
} as const;

/** What the next agent is told. */
export const AnsweredQuestion = z.strictObject({ question: z.string(), answer: z.string() });
export type AnsweredQuestion = Readonly<z.infer<typeof AnsweredQuestion>>;

/** The most that is kept of one question, in code points. */
export const LONGEST_QUESTION = 2000;

/** How an agent of any recipe asks at its end. They come before the word for "done": an agent that needs an answer is not done. */
export const QUESTION_CLAIMS: readonly ClaimSpec[] = [
  { kind: 'question', word: 'BLOCKED' },
  { kind: 'question', word: 'DECIDE' },
];

/** What agents say when they are done, whatever they were told. They count only if the operator has configured no word. */
const USUAL_WORDS = ['DONE', 'COMPLETE'] as const;

interface WordForDone {
  readonly word: string;
  /** The shapes that the recipe asks for; the others count too. */
  readonly kinds: readonly Exclude<ClaimSpec['kind'], 'question'>[];
  /** The word counts also beside one that the operator has configured. */
  readonly isKept?: boolean;
}

/** The word for "done" of each recipe in which an agent says it: the words of the seeds. The claim of a root agent is a file. */
const WORDS_FOR_DONE = {
  run: { word: 'DONE', kinds: ['response', 'promise'] },
  loop: { word: 'COMPLETE', kinds: ['tag'] },
  work: { word: 'DONE', kinds: ['promise'] },
  // Seed 003 looks for `<promise>COMPLETE</promise>`, whatever the settings say. The list decides, not the word.
  stories: { word: 'COMPLETE', kinds: ['promise'], isKept: true },
} as const satisfies Readonly<Record<string, WordForDone>>;

/** What an agent may end with: a question, or its word for "done". If the operator has configured a word, no usual one counts. */
export function claimsOf(recipe: keyof typeof WORDS_FOR_DONE, configured: string | undefined): ClaimSpec[] {
  const { word: own, kinds, isKept = false }: WordForDone = WORDS_FOR_DONE[recipe];
  const word = configured ?? own;
  const others = configured === undefined ? USUAL_WORDS : isKept ? [own] : [];
  const more = others.filter((each) => each !== word).map((each): ClaimSpec => ({ kind: 'promise', word: each }));
  return [...QUESTION_CLAIMS, ...kinds.map((kind) => ({ kind, word })), ...more];
}

/** Whether it says "done", and does not ask. */
export function saysDone(claim: Claim | null): boolean {
  return claim !== null && claim.by !== 'blocked' && claim.by !== 'question';
}
