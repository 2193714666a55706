import { describe, expect, it } from 'vitest';
import { diamond, diamondHolds, hostilePlan, largePlan, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { drawText } from './draw-text.ts';
import { standingOf } from './select-task.ts';

const standings = standingOf(diamond, diamondHolds);
const drawn = (plan: Plan) => drawText(plan, standingOf(plan, new Map()));

describe('the plan as text', () => {
  it('shows the tasks level by level, with their states and needs', () => {
    expect(drawText(diamond, standings)).toBe(`demo: 4 tasks, 1 complete, 1 held, 1 ready, 1 waiting

Level 1
  ✓ complete  T-1  Start

Level 2
  ● ready     T-2  Left  (after T-1)
  ▶ held      T-3  Right  (after T-1)

Level 3
  ○ waiting   T-10  End  (after T-2, T-3, gone)
`);
  });

  it('gives each state its colour where there are colours', () => {
    expect(drawText(diamond, standings, (text, standing) => `<${standing}>${text}</>`)).toContain('  <held>▶ held    </>  T-3  Right');
  });

  it('shows tasks in a cycle too, and a plan without tasks', () => {
    const circle = drawn(planOf([taskOf('a', { needs: ['b'] }), taskOf('b', { needs: ['a'] })]));
    expect(circle).toContain('\nIn a cycle, or waiting for one\n  ○ waiting   a  Title of a  (after b)\n');
    expect(drawn(planOf([]))).toBe('demo: 0 tasks\n');
  });

  it('prints no control characters, and keeps its lines short', () => {
    const text = drawn(hostilePlan);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    const needs = Array.from({ length: 999 }, (_, n) => `${'z'.repeat(99)}${n}`);
    const wide = drawn(planOf([taskOf('x'.repeat(999), { title: 'y'.repeat(999), needs })]));
    expect(Math.max(...wide.split('\n').map((line) => line.length))).toBeLessThan(400);
    expect(wide).toContain(' and 994 more)');
  });

  it('has a line for each of 10,000 tasks', () => {
    expect(drawn(largePlan).match(/^ {2}\S \w+ +t\d+ /gm)).toHaveLength(10_000);
  });
});
