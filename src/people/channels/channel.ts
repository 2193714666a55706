import type * as z from 'zod';

/** What a person can be told about. Settings choose from these names. */
export const NOTICE_EVENTS = ['needs_you', 'ended', 'proven', 'failed', 'budget', 'limit'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** What one notification says: about one thing, or about all that happened since the last one. */
export interface Message {
  /** The same for every try to deliver it, and for no other message. */
  readonly id: string;
  readonly atMs: number;
  readonly run: string;
  readonly recipe: string;
  /** The name of the folder that the run works in. */
  readonly project: string;
  readonly events: readonly NoticeEvent[];
  /** One line of Ralph's own words: it contains nothing that an agent printed. */
  readonly title: string;
  /** Short printable lines. They may contain what an agent printed. */
  readonly lines: readonly string[];
  /** How many things the lines leave out. */
  readonly more: number;
}

/** How a message is handed over, as data. `signWith`: the key of a signature over time and body. */
export type Delivery =
  | { readonly via: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signWith: string | null }
  | { readonly via: 'program'; readonly file: string; readonly args: readonly string[]; readonly stdin: string }
  | { readonly via: 'shell'; readonly line: string; readonly env: Readonly<Record<string, string>>; readonly stdin: string }
  | { readonly via: 'nothing'; readonly why: string };

type OptionsOf<Fields extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<Fields>>>;

/**
 * Everything about one way to tell a person. Its file lies beside this one, and `channels.ts` lists it; settings, reference and commands follow from that.
 * Whatever the lines of a message contain, it must stay text: no command, no header, no markup and no mention may come of it.
 */
interface ChannelDefinition<Fields extends z.ZodRawShape> {
  /** One sentence for the reference. */
  readonly about: string;
  /** The schema of its options. */
  readonly fields: Fields;
  /** The options that name where a secret is. `deliver` gets the secrets themselves. */
  readonly secrets: readonly (keyof Fields & string)[];
  /** `platform` is Node's name of the operating system. */
  readonly deliver: (message: Message, options: OptionsOf<Fields>, platform: string) => Delivery;
}

/** A definition for those who treat all channels alike. `options` fit its fields: the settings were checked with them. */
export interface Channel extends Omit<ChannelDefinition<z.ZodRawShape>, 'secrets' | 'deliver'> {
  readonly secrets: readonly string[];
  readonly deliver: (message: Message, options: Readonly<Record<string, unknown>>, platform: string) => Delivery;
}

export function channel<Fields extends z.ZodRawShape>({ deliver, ...definition }: ChannelDefinition<Fields>): Channel {
  return { ...definition, deliver: (message, options, platform) => deliver(message, options as OptionsOf<Fields>, platform) };
}

export const bodyText = ({ lines }: Message) => lines.join('\n');
export const fullText = (message: Message) => `${message.title}\n\n${bodyText(message)}\n`;
export const needsPerson = ({ events }: Message) => events.includes('needs_you');

/** The message as the JSON object that commands and webhooks get. */
export function messageJson({ id, atMs, run, recipe, project, events, title, lines, more }: Message): string {
  return JSON.stringify({ version: 1, id, at: atMs, run_id: run, recipe, project, events, title, lines, more });
}

/** A POST of JSON without a signature. */
export function postJson(url: string, value: unknown, headers: Readonly<Record<string, string>> = {}): Delivery {
  return { via: 'http', url, headers, body: JSON.stringify(value), signWith: null };
}
