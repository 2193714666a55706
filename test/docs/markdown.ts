export interface CodeBlock {
  readonly language: string;
  readonly lines: readonly CodeLine[];
}

export interface CodeLine {
  readonly number: number;
  readonly text: string;
}

interface Parts {
  readonly prose: readonly CodeLine[];
  readonly blocks: readonly CodeBlock[];
}

/** Takes fenced blocks and prose apart; line numbers are those of the file. */
export function splitMarkdown(markdown: string): Parts {
  const prose: CodeLine[] = [];
  const blocks: CodeBlock[] = [];
  let open: { fence: string; language: string; lines: CodeLine[] } | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(text);
    if (open === null && fence) {
      open = { fence: fence[1] ?? '', language: fence[2] ?? '', lines: [] };
    } else if (open !== null && text.trim() === open.fence) {
      blocks.push({ language: open.language, lines: open.lines });
      open = null;
    } else {
      (open?.lines ?? prose).push({ number: index + 1, text });
    }
  }
  if (open !== null) blocks.push({ language: open.language, lines: open.lines });
  return { prose, blocks };
}

const proseText = (markdown: string) =>
  splitMarkdown(markdown)
    .prose.map((line) => line.text)
    .join('\n');

/** The targets of all links, images and link definitions outside code. */
export function linksOf(markdown: string): readonly string[] {
  const text = proseText(markdown).replaceAll(/`[^`\n]*`/g, '');
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const definitions = [...text.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/gm)];
  const html = [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)];
  return [...inline, ...definitions, ...html].flatMap((match) => match[1] ?? []);
}

/** The anchors a page offers: its headings as the usual forges spell them, and explicit ids. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = proseText(markdown);
  const anchors = new Set([...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].flatMap((match) => match[1] ?? []));
  const times = new Map<string, number>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = slugOf(heading);
    const seen = times.get(slug) ?? 0;
    times.set(slug, seen + 1);
    anchors.add(seen === 0 ? slug : `${slug}-${seen}`);
  }
  return anchors;
}

const slugOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
