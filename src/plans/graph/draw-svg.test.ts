import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diamond, diamondHolds, hostilePlan, largePlan, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { drawSvg } from './draw-svg.ts';
import { standingOf } from './select-task.ts';

const standings = standingOf(diamond, diamondHolds);
const drawn = (plan: Plan) => drawSvg(plan, standingOf(plan, new Map()));

describe('the plan as SVG', () => {
  it('has a box with its state for each task, and a line for each need in the plan', () => {
    const { names, text } = elements(drawSvg(diamond, standings));
    const legend = 8;
    expect(names.filter((name) => name === 'rect').length).toBe(1 + legend + 4);
    expect(names.filter((name) => name === 'path').length).toBe(4);
    expect(text).toEqual(expect.arrayContaining(['demo', '✓ ', 'T-1', 'Start', '▶ ', 'T-10: End (waiting)', 'held 1']));
  });

  it('refers to nothing outside the file', () => expect(drawSvg(diamond, standings)).not.toMatch(/href|url\(|<script|<image|@import/));

  it('shows the title of a task, whatever its characters', () => {
    const { text } = elements(drawn(hostilePlan));
    expect(text).toEqual(expect.arrayContaining(['<b>&"\'</b>', '日本語 🎉']));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, title) => {
        elements(drawn(planOf([taskOf(id, { title })], { project: title })));
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  it('lets no two boxes overlap, also with 10,000 tasks, and stays within its size', () => {
    const svg = drawn(largePlan);
    const places = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="220"/g)].map(([, x, y]) => `${x} ${y}`);
    expect(new Set(places).size).toBe(10_000);
    const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
    expect(places.every((place) => Number(place.split(' ')[0]) + 220 <= width && Number(place.split(' ')[1]) + 46 <= height)).toBe(true);
  });
});

const TAG = /<(\/?)([a-z]+)(?: [\w:-]+="[^"<&]*")*(\/?)>/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses XML strictly: tags close in order, attributes are quoted, and no character is forbidden. */
function elements(xml: string): { readonly names: readonly string[]; readonly text: readonly string[] } {
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const names: string[] = [];
  const open: string[] = [];
  for (const [, end, name = '', empty] of xml.matchAll(TAG)) {
    if (end === '/') expect(open.pop()).toBe(name);
    else names.push(name);
    if (end === '' && empty === '') open.push(name);
  }
  expect(open).toEqual([]);
  const text = xml
    .replaceAll(TAG, '\u0000')
    .split('\u0000')
    .filter((words) => words.trim() !== '');
  for (const words of text) expect(words).toMatch(/^(?:[^<>&]|&(?:amp|lt|gt|quot|apos);)*$/);
  return { names, text: text.map((words) => words.replaceAll(/&([a-z]+);/g, (_, entity: string) => ENTITIES[entity] ?? '')) };
}
