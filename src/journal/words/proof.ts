import * as z from '../../kit/pure/shape.ts';

/** Whether a gate can turn red, as planted failures have shown. */
export const GateLife = z.strictObject({
  command: z.string(),
  /** living: they turned it red, and these files showed theirs. dead: it stayed green. unknown: nothing could be planted, or it was red for another reason. */
  state: z.enum(['living', 'dead', 'unknown']),
  /** The test files that it was seen to run, from the top of the work tree. */
  files: z.array(z.string()),
  /** Those in which only some of the planted failures showed. */
  half: z.array(z.string()).optional(),
  /** How many tests its runners said they ran, without the planted ones; absent where they do not say. */
  tests: z.number().optional(),
  /** Assertions of these files that said that they could fail, as `path:digest`. */
  own: z.array(z.string()).optional(),
  /** Files with assertions that could fail at the start and cannot now, though nobody changed them. */
  bent: z.array(z.string()).optional(),
  /** Test files that are green only with the names and lines that their tests have. */
  named: z.array(z.string()).optional(),
  /** The reason in words, where it is not living; otherwise empty. */
  why: z.string(),
  /** Before a claim, more failed than was planted: it may be red anyway. */
  red_besides: z.literal(true).optional(),
  /** How long its longest run with planted failures took at the start, if that was minutes. */
  slow_ms: z.number().optional(),
  /** The files could not be copied for a trial. */
  uncopied: z.literal(true).optional(),
});
export type GateLife = Readonly<z.infer<typeof GateLife>>;

/** A decider that differs from the base. */
export const ChangedDecider = z.strictObject({ path: z.string(), why: z.string() });
export type ChangedDecider = Readonly<z.infer<typeof ChangedDecider>>;

/** Which files decided. Each digest is the SHA-256 of what `git ls-tree -r -z <tree>` prints for them. */
export const DeciderDigests = z.strictObject({
  /** How many there are in the accepted tree. */
  count: z.number().int().nonnegative(),
  sha256: z.string(),
  base_sha256: z.string(),
});
export type DeciderDigests = Readonly<z.infer<typeof DeciderDigests>>;

/**
 * proven: accepted. red: not green in a clean copy. held: green only with changed deciders, which a person has to allow. dead: a gate stays green with planted
 * failures. sealed: all else is good, but the sealed checks are red.
 */
export const ProofVerdict = z.enum(['proven', 'red', 'held', 'dead', 'sealed']);
export type ProofVerdict = z.infer<typeof ProofVerdict>;

export const ProofLevel = z.enum(['place', 'green', 'living', 'sealed']);
export type ProofLevel = z.infer<typeof ProofLevel>;

/** How many sealed checks there were, and how many were judged by their exit code alone. Never which ones, and never their output. */
export const SealedCounts = z.strictObject({ checks: z.number().int().nonnegative(), weak: z.number().int().nonnegative() });
export type SealedCounts = Readonly<z.infer<typeof SealedCounts>>;

/** Each red run of the sealed checks gives an agent one bit about them. After this many a person has to look. */
export const MOST_SEALED_RUNS = 3;

/** A proof runs each check two or three times, so with such a check an hour may go by after a claim. */
export const SLOW_MS = 5 * 60_000;
