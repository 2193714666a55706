import { describe, expect, it } from 'vitest';
import { openFloodGate } from './run-screen.ts';

const limits = { burstLines: 100, linesPerSecond: 10 };

describe('the flood gate', () => {
  it('lets through what a person could read', () => {
    const gate = openFloodGate(limits, 0);
    for (let second = 0; second < 1000; second += 1) {
      expect(gate.opensFor(second * 1000)).toBe(true);
      gate.passed(10);
    }
    expect(gate.heldBack()).toBe(0);
  });

  it('closes after a burst, and counts what it holds back', () => {
    const gate = openFloodGate(limits, 0);
    gate.opensFor(0);
    gate.passed(100);
    expect([gate.opensFor(0), gate.opensFor(1), gate.opensFor(2)]).toEqual([false, false, false]);
    expect(gate.heldBack()).toBe(3);
    expect(gate.heldBack()).toBe(0);
  });

  it('opens again only when more than one line may pass', () => {
    const gate = openFloodGate(limits, 0);
    gate.opensFor(0);
    gate.passed(100);
    expect(gate.opensFor(0)).toBe(false);
    expect(gate.opensFor(2400)).toBe(false);
    expect(gate.opensFor(2600)).toBe(true);
  });

  it('is not confused by a clock that goes back', () => {
    const gate = openFloodGate(limits, 1000);
    gate.opensFor(1000);
    gate.passed(99);
    expect(gate.opensFor(0)).toBe(true);
  });
});
