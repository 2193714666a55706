import { expectTypeOf, it } from 'vitest';
import type { AgentDefinition } from './agent-definition.ts';

it('the definition of an agent has no optional part, so that the compiler refuses an incomplete one', () => {
  expectTypeOf<AgentDefinition>().toEqualTypeOf<Required<AgentDefinition>>();
});
