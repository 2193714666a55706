import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const CHAR_WIDTH = 8;
const LINE_HEIGHT = 18;
const MARGIN = 16;

/** What a line is about decides its colour. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^(?:✅|✓|All guardrails passed|Completion response matched)/u, '#7ee787'],
  [/^(?:✗|❌|Claim .* not accepted)/u, '#ff7b72'],
  [/^(?:===|Ralph |Proving|Needs you)/u, '#79c0ff'],
  [/^>/u, '#e3b341'],
];

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function lineText(line: string, index: number): string {
  if (line.trim() === '') return '';
  const colour = COLOURS.find(([shape]) => shape.test(line))?.[1];
  return `<text x="${MARGIN}" y="${MARGIN + (index + 1) * LINE_HEIGHT - 4}"${colour === undefined ? '' : ` fill="${colour}"`}>${escaped(line)}</text>\n`;
}

/** A screen of text as an SVG that needs nothing else: no font, no script, no style sheet. */
export function pictureOf(title: string, screen: string): string {
  const lines = screen.trimEnd().split('\n');
  const width = Math.max(...lines.map((line) => line.length)) * CHAR_WIDTH + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">\n`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>\n`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="#c9d1d9" xml:space="preserve">\n`,
    ...lines.map(lineText),
    '</g>\n</svg>\n',
  ].join('');
}

/** Compares a picture with the one in docs/pictures. `UPDATE_SCREENS=1` writes it again. */
export function expectPicture(name: string, picture: string): void {
  const file = join(import.meta.dirname, '../../docs/pictures', `${name}.svg`);
  if (process.env['UPDATE_SCREENS'] === '1') writeFileSync(file, picture);
  expect(picture).toBe(readFileSync(file, 'utf8'));
}
