import { describe, expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import { placeTasks } from './draw-svg.ts';
import { layersOf } from './layers.ts';

const named = (tasks: Parameters<typeof planOf>[0]) => {
  const { layers, inCycle: inACircle } = layersOf(planOf(tasks));
  return { layers: layers.map((layer) => layer.map(({ id }) => id)), inACircle: inACircle.map(({ id }) => id) };
};

describe('the layers of a plan', () => {
  it('put each task below the lowest one it needs, in the order of the plan', () => {
    const tasks = [
      taskOf('end', { needs: ['a', 'c'] }),
      taskOf('c', { needs: ['b'] }),
      taskOf('b', { needs: ['a'] }),
      taskOf('x', { needs: ['a', 'a'] }),
      taskOf('a'),
    ];
    expect(named(tasks)).toEqual({ layers: [['a'], ['b', 'x'], ['c'], ['end']], inACircle: [] });
  });

  it('ignore unknown needs, and contain no task of a cycle', () => {
    expect(named([taskOf('a', { needs: ['gone'] }), taskOf('b', { needs: ['c'] }), taskOf('c', { needs: ['b'] }), taskOf('d', { needs: ['c', 'a'] })])).toEqual(
      {
        layers: [['a']],
        inACircle: ['b', 'c', 'd'],
      },
    );
    expect(named([])).toEqual({ layers: [], inACircle: [] });
  });

  it('are computed for a chain of 100,000 tasks too', () => {
    const tasks = Array.from({ length: 100_000 }, (_, n) => taskOf(`t${n}`, { needs: n === 0 ? [] : [`t${n - 1}`] }));
    expect(layersOf(planOf(tasks)).layers).toHaveLength(100_000);
  });
});

describe('the position of a task in a picture', () => {
  it('is near the rows of what it needs', () => {
    const tasks = [taskOf('a'), taskOf('b'), taskOf('after-b', { needs: ['b'] }), taskOf('after-a', { needs: ['a'] }), taskOf('x', { needs: ['x'] })];
    const places = [...placeTasks(planOf(tasks)).values()].map(({ task, column, row }) => [task.id, column, row]);
    expect(places).toEqual([
      ['a', 0, 0],
      ['b', 0, 1],
      ['after-a', 1, 0],
      ['after-b', 1, 1],
      ['x', 2, 0],
    ]);
  });
});
