import { openFunctionAgent } from '../agents/function-agent.ts';
import type { AgentPort, AgentRequest } from '../engine/ports/agent.ts';
import { markerVariable } from '../process/marker.ts';
import { sweepMarked } from '../process/sweep.ts';
import { judgeException } from './supervise-root-exception.ts';
import type { RootRunner } from './supervise-root-options.ts';

interface RootAgentOptions {
  readonly runRoot: RootRunner;
  /** Counted from 0, of the life that begins now. */
  readonly attempt: () => number;
  readonly env: Readonly<Record<string, string>>;
  readonly warn: (text: string) => void;
}

/** A root agent that is a function of the caller's. Processes it starts with the environment it is given are ended with its life. */
export function openRootAgent({ runRoot, attempt, env, warn }: RootAgentOptions): AgentPort {
  const agentFor = ({ cwd, marker }: Pick<AgentRequest, 'cwd' | 'marker'>) =>
    openFunctionAgent({
      agent: 'runRoot',
      model: null,
      judge: judgeException,
      // What it resolves with means nothing, whatever it is.
      async factory({ prompt, signal }) {
        await runRoot(signal, attempt(), { prompt, cwd, env: { ...env, [markerVariable]: marker } });
      },
    });
  return {
    ...agentFor({ cwd: '', marker: '' }),
    async run(request, listener, signal) {
      const ending = await agentFor(request).run(request, listener, signal);
      const left = await sweepMarked(request.marker, []);
      if (left.length > 0) warn(`could not end ${left.map(({ pid }) => `process ${pid}`).join(', ')}; look at it yourself`);
      return ending;
    },
  };
}
