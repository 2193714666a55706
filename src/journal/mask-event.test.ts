import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../test/support/schema-samples.ts';
import { openSecretHider } from '../kit/pure/hide-secrets.ts';
import { EventBody } from './events/journal-event.ts';
import { maskEvent } from './mask-event.ts';

const ofResults = (where: string) => ['ending.detail', 'ending.message', 'output'].map((field) => `${where}[].${field}`);

/** The masked fields of each event; all others are needed unchanged. */
const MASKED: Readonly<Record<string, readonly string[]>> = {
  'run.started': ['found.problem'],
  'run.stopped': ['outcome.message', 'outcome.claim.text'],
  'iteration.closed': ['claim.text'],
  'attempt.spawned': ['command[]', 'prompt_head'],
  'attempt.ended': ['why', 'ending.detail', 'ending.message', 'claim.text', 'message', 'review.feedback', 'review.notes', 'limit_window'],
  'gates.judged': ['results[].ending.detail', 'results[].ending.message', 'results[].output', 'problem'],
  'proof.judged': ['hint', 'results[].ending.detail', 'results[].ending.message', 'results[].output'],
  'commit.made': ['message'],
  'commit.refused': ['detail'],
  'command.ended': ['argv[]', 'ending.detail', 'ending.message', 'last_line'],
  'limit.seen': ['window'],
  'wall.refused': ['target'],
  'task.seen': ['done.why', 'wait.reason'],
  'done.seen': ['done.why'],
  'child.asked': ['child.prompt'],
  'child.refused': ['why'],
  posted: ['problem'],
  'task.taken': ['feedback'],
  'task.none': ['detail'],
  'plan.troubled': ['why'],
  'task.lost': ['why'],
  'workspace.opened': ['problem'],
  'workspace.closed': ['problem'],
  'base.brought': ['problem'],
  'plan.settled': ['accepted[]', 'refused[]', 'problem'],
  'merge.proven': [...ofResults('results'), ...ofResults('proof.results')],
  'merge.judged': [...ofResults('results'), 'left_behind', 'detail', ...ofResults('proof.results')],
  'stories.seen': ['problem', 'changes[]'],
  'stories.settled': ['move.feedback', 'move.notes', 'accepted[]', 'refused[]', 'problem'],
  'stories.recorded': ['problem'],
  'question.asked': ['question.text'],
  'stop.refused': ['reason'],
};

const samples = samplesOf(EventBody) as readonly EventBody[];
const types = [...new Set(samples.map(({ type }) => type))];

/** The paths at which two values differ. */
function differences(before: unknown, after: unknown, at = ''): readonly string[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, nth) => differences(each, after[nth], `${at}[]`));
  if (!isRecord(before) || !isRecord(after)) return [at];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(before[name], after[name], at === '' ? name : `${at}.${name}`));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('masking an event', () => {
  it('is tested with every type of event', () => {
    for (const sample of samples) EventBody.parse(sample);
    expect(types.length).toBe(EventBody.options.length);
  });

  it.each(types)('of type %s changes the texts from outside and nothing else', (type) => {
    const touched = samples
      .filter((sample) => sample.type === type)
      .flatMap((sample) =>
        differences(
          sample,
          maskEvent((text) => `masked ${text}`, sample),
        ),
      );
    expect([...new Set(touched)].toSorted()).toEqual([...(MASKED[type] ?? [])].toSorted());
  });

  it('gives an event that can be read back and that masking again does not change', () => {
    const hide = openSecretHider([]);
    for (const sample of samples) {
      const masked = maskEvent(hide, sample);
      EventBody.parse(masked);
      expect(maskEvent(hide, masked)).toEqual(masked);
    }
  });

  it('hides the value of a command line flag', () => {
    const command = ['claude', '--api-key', 'abc', '--token=def', '--model', 'opus'];
    const body: EventBody = { type: 'attempt.spawned', attempt: '1.1', host: 'h', boot_id: 'b', pid: 1, start_time: '1', command, prompt_head: 'Do it.' };
    expect(maskEvent(openSecretHider([]), body)).toEqual({ ...body, command: ['claude', '--api-key', '[redacted]', '--token=[redacted]', '--model', 'opus'] });
  });
});
