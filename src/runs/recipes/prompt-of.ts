import { readPromptFile, type UnreadablePrompt } from '../../agents/run-agent/prompt-file.ts';
import type { Report } from '../../engine/contracts.ts';
import type { PlanPorts, Ports, StoriesPorts, TaskFolderPorts } from '../../engine/ports/ports.ts';
import type { CleanContext, RunAgent } from '../../journal/effects/effect.ts';
import { buildCleanPrompt } from '../../recipes/run/clean-prompt.ts';
import { buildPrompt } from '../../recipes/run/prompt.ts';
import { protectedPaths, requiredTagOf, specFileOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** The fields of the effect that shape its prompt. */
type Asked = Pick<RunAgent, 'role' | 'iteration' | 'maximum' | 'prompt' | 'failures' | 'context' | 'previous_life' | 'work' | 'turn' | 'answers'>;

/** The ports that a prompt may be built from. */
type Known = Pick<Ports, 'settings' | 'history' | 'changedSpec' | 'agent' | 'place' | 'supervision' | 'work' | 'stories'>;

/** Builds the prompt of an attempt: the operator's text with the feedback of failed gates, a clean context, or the instructions for a supervised agent. */
export async function promptOf(effect: Asked, ports: Known, report: Report): Promise<string | UnreadablePrompt> {
  const { settings } = ports;
  if (effect.work)
    return await (await import('../../recipes/work/effects/task-prompt-of.ts')).taskPromptOf(effect.work, ports as PlanPorts, effect.answers ?? []);
  if (effect.turn) return await (await import('../../recipes/review/effects/stories-of.ts')).turnPromptOf(effect.turn, effect, ports as StoriesPorts);
  if (effect.context !== null) return await cleanPrompt(effect, effect.context, ports, report);
  const base = effect.prompt ?? (await readBase(settings.prompt));
  if (typeof base !== 'string') return base;
  if ('supervise' in settings)
    return await (await import('../../recipes/supervise/effects/root-prompt-from-world.ts')).rootPromptOf(effect, ports as TaskFolderPorts, base);
  const includeCount = settings.includeIterationCount && effect.role === 'work';
  return buildPrompt({ base, failures: effect.failures, iteration: effect.iteration, maximum: effect.maximum, includeCount, answers: effect.answers ?? [] });
}

async function readBase(prompt: RunSettings['prompt']): Promise<string | UnreadablePrompt> {
  return prompt.from === 'text' ? prompt.text : await readPromptFile(prompt.path);
}

async function cleanPrompt(effect: Asked, context: CleanContext, ports: Known, report: Report): Promise<string> {
  const { settings, history } = ports;
  const changes = context.since === null ? null : await history.changesSince(context.since);
  return buildCleanPrompt({
    task: { kind: specFileOf(settings) ? 'spec' : 'task', text: await taskText(ports, report) },
    iteration: effect.iteration,
    maximum: effect.maximum,
    tag: requiredTagOf(settings) === 'never' ? null : (settings.claims.find(({ kind }) => kind !== 'question')?.word ?? null),
    checks: settings.gates.map(({ command }) => command),
    protect: protectedPaths(settings),
    context,
    changes,
    isRepository: context.since !== null,
    failures: effect.failures,
    answers: effect.answers ?? [],
  });
}

/** The snapshot taken at the start, unless the operator wants changes to the specification to count. A change is reported either way. */
async function taskText({ settings, changedSpec }: Known, report: Report): Promise<string> {
  const snapshot = settings.prompt.from === 'text' ? settings.prompt.text : '';
  const spec = specFileOf(settings);
  if (spec === null) return snapshot;
  const { text, isNew } = await changedSpec(spec.path);
  const obeyed = spec.follow && text !== null;
  if (isNew) await report({ type: 'spec.seen', path: spec.path, obeyed });
  return obeyed ? text : snapshot;
}
