import { OperatorError } from '../kit/pure/operator-error.ts';

/** For agents that have no option for a model: to ignore the wish would run the wrong one. */
export function refuseModel(agent: string, model: string | null): void {
  if (model === null) return;
  throw new OperatorError('no-model-option', `${agent} has no option for the model "${model}".`, {
    hint: 'Leave agent.model out, and put what this command needs into agent.flags.',
    exitCode: 2,
  });
}
