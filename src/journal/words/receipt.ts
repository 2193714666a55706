import * as z from '../../kit/pure/shape.ts';
import { ChangedDecider, DeciderDigests, ProofLevel, SealedCounts } from './proof.ts';

const MergedTask = z.strictObject({
  /** The task's id and its plan. */
  id: z.string(),
  plan: z.string(),
  /** The branch it was merged for, and the commit that the task was taken from. */
  base: z.string(),
  taken_from: z.string(),
  /** The commit it was merged onto, whose deciders counted. */
  onto: z.string(),
  /** The tree that the gates judged: the merged files, before Ralph marked the task complete in the plan. */
  judged_tree: z.string(),
  /** Patterns of deciders that the operator lets it change. */
  may_change: z.array(z.string()),
});

const PassedStory = z.strictObject({
  /** The story's id and its list. */
  id: z.string(),
  plan: z.string(),
  branch: z.string(),
  /** The tree before any agent worked on it, later the one with the changes that a person has allowed: its deciders counted. */
  base: z.string(),
  /** The tree that the gates judged, before Ralph wrote into the list that the story has passed. */
  judged_tree: z.string(),
  /** Patterns of deciders that the operator lets it change. */
  may_change: z.array(z.string()),
});

/** What proves that the work is done. Only the loop writes it: as a git note of the commit, and in the run's folder. */
export const Receipt = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  ralph: z.string(),
  task: z.string(),
  /** Null when nothing was committed; then the tree says what was proven. */
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  /** The task or the story it is about; both absent: the run as a whole. */
  merged: MergedTask.optional(),
  story: PassedStory.optional(),
  /** Where the checks of the last proof ran: in the workspace, or in a fresh checkout. */
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  checks: z.array(
    z.strictObject({
      command: z.string(),
      exit_code: z.number().int().nullable(),
      duration_ms: z.number().int().nonnegative(),
      /** SHA-256 of its output. */
      output_sha256: z.string(),
      flaky: z.boolean(),
      /** Whether it was red before the first iteration, as a witness must be. */
      was_red: z.boolean().nullable(),
      /** How many tests it says it ran; null: it does not say. */
      tests: z.number().int().nonnegative().nullable().optional(),
    }),
  ),
  /** How the claim was proven; absent: green checks were enough. */
  proof: z
    .strictObject({
      level: ProofLevel,
      /** Deciders that differ from the start. */
      changed: z.array(ChangedDecider),
      /** Changes that the operator allowed beforehand, and who allowed the claim afterwards. */
      allowed: z.array(z.string()),
      allowed_by: z.string().nullable(),
      allowed_at: z.number().nullable().optional(),
      deciders: DeciderDigests.optional(),
      checks: z.array(
        z.strictObject({
          command: z.string(),
          state: z.enum(['living', 'dead', 'unknown']),
          files: z.array(z.string()),
          /** Why it is not shown to be alive; absent: it is, or an older Ralph wrote this. */
          why: z.string().optional(),
        }),
      ),
      sealed: SealedCounts.optional(),
    })
    .optional(),
  /** The sandbox that kept agents away from the signing key. */
  sandbox: z.string().optional(),
  agent: z.string(),
  model: z.string().nullable(),
  cost_usd: z.number().nullable(),
  iterations: z.number().int(),
  written_at: z.number(),
});
export type Receipt = Readonly<z.infer<typeof Receipt>>;

/** The id of the task or story it is about; undefined: the run as a whole. */
export const taskOfReceipt = ({ merged, story }: Pick<Receipt, 'merged' | 'story'>): string | undefined => merged?.id ?? story?.id;

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const RECEIPT_TYPE = 'urn:ralph-loop:receipt:v1';

/** The signed payload is an in-toto statement. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A receipt that other tools can read: its subject and its claims. Unknown fields are dropped, as in-toto requires. */
export const Statement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ digest: z.object({ gitCommit: z.string().optional(), gitTree: z.string().optional() }) })),
  predicateType: z.literal(RECEIPT_TYPE),
  predicate: Receipt,
});
export type Statement = Readonly<z.infer<typeof Statement>>;

/** A DSSE envelope. The key id is only a hint. */
export const Envelope = z.object({
  payloadType: z.string(),
  /** Base64. */
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});
export type Envelope = Readonly<z.infer<typeof Envelope>>;

/** Null when the receipt names no tree, so that there is nothing to sign. */
export function statementOf(receipt: Receipt): Statement | null {
  const { commit, tree } = receipt;
  if (tree === null) return null;
  return {
    _type: STATEMENT_TYPE,
    subject: [...(commit === null ? [] : [{ digest: { gitCommit: commit } }]), { digest: { gitTree: tree } }],
    predicateType: RECEIPT_TYPE,
    predicate: receipt,
  };
}

/** The receipt in a signed text, or one line that says why there is none. */
export function receiptIn(json: unknown): Receipt | string {
  const { data, error } = Statement.safeParse(json);
  if (data === undefined) return `its statement has an invalid ${error?.issues[0]?.path.join('.') || 'format'}`;
  const { subject, predicate } = data;
  const isAboutTree = subject.some(({ digest }) => digest.gitTree !== undefined && digest.gitTree === predicate.tree);
  return isAboutTree ? predicate : 'its subject does not name the tree of its receipt';
}
