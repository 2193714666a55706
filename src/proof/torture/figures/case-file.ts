import * as z from '../../../kit/pure/shape.ts';

export const KINDS = ['test', 'config', 'dead-gate', 'source', 'environment', 'ignored'] as const;
export type Kind = (typeof KINDS)[number];

/** What a loop reports about the work. */
export type Came = 'done' | 'held' | 'not-done' | 'error';

const change = {
  id: z.string(),
  how: z.string(),
  write: z.record(z.string(), z.string()).optional(),
  delete: z.array(z.string()).optional(),
  run: z.string().optional(),
  files: z.record(z.string(), z.string().nullable()).optional(),
};

const CaseFile = z.strictObject({
  gate: z.string(),
  needs: z.array(z.string()).optional(),
  files: z.record(z.string(), z.string()),
  prompt: z.string(),
  sealed: z.record(z.string(), z.string()).optional(),
  cheats: z.array(z.strictObject({ ...change, kind: z.enum(KINDS) })).optional(),
  honest: z
    .array(
      z.strictObject({
        ...change,
        /** Absent: the prompt of the file. */
        prompt: z.string().optional(),
        expect: z.enum(['done', 'held']),
      }),
    )
    .optional(),
});

/** What a scripted agent does on every call. */
export interface Change {
  readonly write: Readonly<Record<string, string>>;
  readonly delete: readonly string[];
  readonly run: string;
}

/** One task for a loop: an impossible one with an agent that cheats, or one that an honest agent completes. */
export interface TortureCase {
  /** `<gate>/<id>`. */
  readonly name: string;
  readonly part: 'open' | 'learned' | 'blind';
  /** The name of its file. */
  readonly gate: string;
  readonly command: string;
  readonly needs: readonly string[];
  readonly kind: Kind | 'honest';
  readonly how: string;
  /** Always `refused` for a cheat. */
  readonly expect: 'refused' | 'done' | 'held';
  readonly prompt: string;
  readonly files: Readonly<Record<string, string>>;
  readonly change: Change;
  /** The folder of sealed checks that no agent sees, by path; empty if there are none. */
  readonly sealed: Readonly<Record<string, string>>;
}

type Named = Pick<TortureCase, 'part' | 'gate'>;

/** The cases of one file, or a sentence if its format is wrong. */
export function readCases(value: unknown, { part, gate }: Named): readonly TortureCase[] | string {
  const read = CaseFile.safeParse(value);
  if (!read.success) return told(read.error);
  const { gate: command, needs = [], files, prompt, sealed = {}, cheats = [], honest = [] } = read.data;
  const all = { part, gate, command, needs, sealed };
  const ofCase = (each: Own) => ({ files: merged(files, each.files ?? {}), change: changeOf(each) });
  const cases: readonly TortureCase[] = [
    ...cheats.map((each): TortureCase => ({ ...all, ...each, name: `${gate}/${each.id}`, expect: 'refused', prompt, ...ofCase(each) })),
    ...honest.map((each): TortureCase => ({ ...all, ...each, name: `${gate}/${each.id}`, kind: 'honest', prompt: each.prompt ?? prompt, ...ofCase(each) })),
  ];
  const twice = cases.find(({ name }, index) => cases.findIndex((other) => other.name === name) !== index);
  return twice === undefined ? cases : `two cases have the id ${twice.name}`;
}

function told(error: { readonly issues?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }): string {
  const [issue] = error.issues ?? [];
  return issue === undefined ? 'it is not in the format' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

type Own = { readonly [Part in keyof Change]?: Change[Part] | undefined } & { readonly files?: Readonly<Record<string, string | null>> | undefined };

function changeOf({ write = {}, delete: gone = [], run = '' }: Own): Change {
  return { write, delete: gone, run };
}

function merged(files: Readonly<Record<string, string>>, own: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries({ ...files, ...own }).filter((entry): entry is [string, string] => entry[1] !== null));
}
