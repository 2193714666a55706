import { expect } from 'vitest';
import { type AgentFactory, type FactoryCall, OperatorError } from '../../src/index.ts';

/** An agent that does one thing after the other, an iteration each; the last one for ever. */
export function playing(...turns: readonly AgentFactory[]): AgentFactory & { readonly calls: FactoryCall[] } {
  const calls: FactoryCall[] = [];
  const factory: AgentFactory = (call) => {
    calls.push(call);
    return turns[Math.min(calls.length, turns.length) - 1]?.(call);
  };
  return Object.assign(factory, { calls });
}

/** The operator's mistake a loop is refused for. */
export const refusal = async (running: Promise<unknown>) => {
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  return error as OperatorError;
};
