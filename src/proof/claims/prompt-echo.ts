/** What a command may print before the prompt on its first line, such as `Prompt: `. */
const longestLead = 200;

/** Stands for the prompt where it was cut out of a line, so that what is left of the line is never taken for a whole one. */
const cut = '…';

/** Lets lines pass but for those that repeat the whole prompt. Lines that may yet turn out to repeat it are held back, never more than the prompt has. */
export interface PromptEcho {
  line(text: string): void;
  /** No more lines: lets the held ones pass. */
  end(): void;
}

/** The prompt as it would be echoed: its lines without trailing space, none for a blank prompt. */
export function promptLines(prompt: string): readonly string[] {
  const text = prompt.trim();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}

/**
 * Knuth, Morris and Pratt on lines. The first line may have a lead and, when the prompt has several lines, the last one a tail; a tag in those still
 * counts, a bare word does not. Held lines equal the prompt's, so only the first of them is kept.
 */
export function openPromptEcho(prompt: readonly string[], pass: (line: string) => void): PromptEcho {
  const first = prompt[0];
  if (first === undefined) return { line: pass, end: () => undefined };
  const borders = bordersOf(prompt);
  const last = prompt.at(-1) ?? first;
  let held = 0;
  let firstHeld = first;

  const begins = (line: string) => {
    const leadChars = line.length - first.length;
    return leadChars <= longestLead && line.endsWith(first) && (prompt.length > 1 || line.trimStart() === first);
  };
  const continues = (line: string) => (held === prompt.length - 1 ? line.startsWith(last) : line === prompt[held]);
  const release = (count: number) => {
    for (let index = 0; index < count; index += 1) pass(index === 0 ? firstHeld : (prompt[index] ?? ''));
    held -= count;
    firstHeld = first;
  };
  const cutOut = (line: string) => {
    held = 0;
    if (prompt.length === 1) return;
    const lead = firstHeld.slice(0, firstHeld.length - first.length).trim();
    const tail = line.slice(last.length).trim();
    if (lead !== '') pass(lead + cut);
    if (tail !== '') pass(cut + tail);
  };

  return {
    line(text) {
      const line = text.trimEnd();
      while (held > 0 && !continues(line)) release(held - (borders[held] ?? 0));
      if (held === 0) {
        if (!begins(line)) return pass(line);
        firstHeld = line;
      }
      held += 1;
      if (held === prompt.length) cutOut(line);
    },
    end: () => release(held),
  };
}

/** For every number of lines from the start: how many of them, at most, are at once the end and the beginning of that stretch. */
function bordersOf(lines: readonly string[]): readonly number[] {
  const borders = [0, 0];
  let border = 0;
  for (let index = 1; index < lines.length; index += 1) {
    while (border > 0 && lines[index] !== lines[border]) border = borders[border] ?? 0;
    if (lines[index] === lines[border]) border += 1;
    borders.push(border);
  }
  return borders;
}
