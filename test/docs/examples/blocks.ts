import { splitMarkdown } from '../markdown.ts';

/** A fenced block of a page, and the marks in the HTML comments right above it. */
export interface Block {
  /** Of its first line in the page. */
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
  readonly marks: Marks;
}

/** `<!-- scene: … -->` and its like. Refuses an unknown mark, because a typo would change what is run. */
export interface Marks {
  /** A new temporary repository, as defined in scenes.ts. */
  readonly scene?: string;
  /** The file the block is written to. */
  readonly writes?: string;
  /** Its first line is typed at a real terminal, and every question is answered as shown. */
  readonly dialog?: string;
  /** Why it is skipped. */
  readonly 'not run'?: string;
  /** The test that runs it instead. */
  readonly 'run by'?: string;
}

const NAMES: ReadonlySet<string> = new Set<keyof Marks>(['scene', 'writes', 'dialog', 'not run', 'run by']);

export function blocksOf(markdown: string): readonly Block[] {
  const page = markdown.split('\n');
  return splitMarkdown(markdown).blocks.map(({ language, lines }) => {
    const line = lines[0]?.number ?? 0;
    return { line, language, lines: lines.map(({ text }) => text), marks: marksAbove(page, line - 2) };
  });
}

/** From the line above the fence upwards, as long as there are comments. */
function marksAbove(page: readonly string[], fence: number): Marks {
  const marks: Record<string, string> = {};
  for (let at = fence - 1; at >= 0; at -= 1) {
    const line = page[at]?.trim() ?? '';
    const [, name = '', value = ''] = /^<!-- ([a-z ]+): (.+) -->$/.exec(line) ?? [];
    if (name === '' && line !== '') break;
    if (name === '') continue;
    if (!NAMES.has(name)) throw new Error(`line ${at + 1}: unknown mark "${name}"`);
    marks[name] = value;
  }
  return marks;
}
