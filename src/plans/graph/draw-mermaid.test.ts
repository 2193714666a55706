import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diamond, diamondHolds, hostilePlan, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { drawMermaid } from './draw-text.ts';
import { standingOf } from './select-task.ts';

const standings = standingOf(diamond, diamondHolds);
const drawn = (plan: Plan) => drawMermaid(plan, standingOf(plan, new Map()));

describe('the plan as Mermaid', () => {
  const label = String.raw`(?:[\p{L}\p{M}\p{N} .,_…-]|#\d+;)+`;
  const colour = '#[0-9a-f]{6}';
  const lines = [
    'flowchart LR',
    String.raw`  n\d+\["${label}(?:<br/>${label})?"\]:::[a-z]+`,
    String.raw`  n\d+ --> n\d+`,
    `  classDef [a-z]+ fill:${colour},stroke:${colour},color:${colour}`,
  ];
  const line = new RegExp(`^(?:${lines.join('|')})$`, 'u');
  const unparsed = (text: string) => (text.match(/.+/g) ?? []).filter((each) => !line.test(each));

  it('has a node with its state for each task, and an arrow for each need in the plan', () => {
    const text = drawMermaid(diamond, standings);
    expect(unparsed(text)).toEqual([]);
    expect(text.split('\n').slice(0, 9)).toEqual([
      'flowchart LR',
      '  n0["T-1<br/>Start"]:::complete',
      '  n1["T-2<br/>Left"]:::ready',
      '  n2["T-3<br/>Right"]:::held',
      '  n3["T-10<br/>End"]:::waiting',
      '  n0 --> n1',
      '  n0 --> n2',
      '  n1 --> n3',
      '  n2 --> n3',
    ]);
  });

  it('cannot be ended, directed or styled by the text of a task', () => {
    expect(unparsed(drawn(hostilePlan))).toEqual([]);
    expect(drawn(planOf([taskOf('\u200b', { title: '' })]))).toContain('n0["n0"]');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, title) => {
        expect(unparsed(drawn(planOf([taskOf(`x${id}`, { title })])))).toEqual([]);
      }),
      { seed: 6, numRuns: 200 },
    );
  });
});
