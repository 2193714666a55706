import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../test/support/schema-samples.ts';
import { openSecretHider } from '../kit/pure/hide-secrets.ts';
import type { Structure } from '../kit/pure/shape-of-one.ts';
import { EventBody } from './events/journal-event.ts';
import { maskEvent } from './mask-event.ts';

const ofResults = (where: string) => ['ending.detail', 'ending.message', 'output', 'output_end'].map((field) => `${where}[].${field}`);

const ofProof = (where: string) => [...['changed[].why', 'gates[].why', 'hint', 'reason'].map((field) => where + field), ...ofResults(`${where}results`)];

/** The masked fields of each event; all others are needed unchanged. */
const MASKED: Readonly<Record<string, readonly string[]>> = {
  'run.started': ['found.problem'],
  'run.stopped': ['outcome.message', 'outcome.claim.text'],
  'iteration.closed': ['claim.text'],
  'attempt.spawned': ['command[]', 'prompt_head'],
  'attempt.ended': [
    'why',
    'ending.detail',
    'ending.message',
    'claim.text',
    'message',
    'review.feedback',
    'review.notes',
    'limit_window',
    'near_claim',
    'last_words',
    'tool_error',
    'windows[].window',
  ],
  'gates.judged': [...ofResults('results'), 'problem'],
  'living.found': ['gates[].why'],
  'proof.judged': [...ofProof('')],
  'receipt.written': ['why_unsigned', 'why_no_note'],
  'commit.made': ['message'],
  'commit.refused': ['detail'],
  'command.ended': ['argv[]', 'ending.detail', 'ending.message', 'last_line'],
  'limit.seen': ['window'],
  'wall.refused': ['kept.paths[]', 'target'],
  'task.seen': ['done.why', 'wait.reason'],
  'done.seen': ['done.why'],
  'child.asked': ['child.prompt'],
  'child.refused': ['why'],
  posted: ['problem'],
  'task.taken': ['feedback'],
  'task.none': ['detail'],
  'plan.troubled': ['why'],
  'task.lost': ['why'],
  'task.released': ['none.detail'],
  'workspace.opened': ['problem'],
  'workspace.closed': ['problem'],
  'base.brought': ['problem'],
  'plan.settled': ['accepted[]', 'refused[]', 'problem'],
  'merge.proven': [...ofResults('results'), ...ofProof('proof.')],
  'merge.judged': [...ofResults('results'), 'left_behind', 'detail', ...ofProof('proof.')],
  'stories.seen': ['problem', 'changes[]'],
  'stories.settled': ['move.feedback', 'move.notes', 'accepted[]', 'refused[]', 'problem'],
  'stories.recorded': ['problem'],
  'question.asked': ['question.text'],
  'stop.refused': ['reason'],
};

/** Events with the operator's own words, which a resumed run needs, with a plan as its file has it, or (intents) with texts that were masked before. */
const KEPT_WHOLE: readonly EventBody['type'][] = ['run.started', 'effect.begun', 'operator.instructed', 'question.answered', 'turn.begun'];

/** Fields that hold sentences, wherever they stand. */
const PROSE = new Set(
  'detail feedback hint last_line last_words message near_claim output output_end problem reason text tool_error why why_no_note why_unsigned'.split(' '),
);

/** What the settings say of a gate. */
const OPERATORS = /\.gate\.hint$/;

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

/** The paths of all fields in a structure that may hold any text. */
function textsIn(made: Structure, at: string): readonly string[] {
  switch (made.of) {
    case 'text':
    case 'anything':
    case 'names':
      return [at];
    case 'else':
      return textsIn(made.inner.made, at);
    case 'list':
      return textsIn(made.item.made, `${at}[]`);
    case 'one':
      return made.options.flatMap((option) => textsIn(option.made, at));
    case 'fields':
      return Object.entries(made.fields).flatMap(([name, field]) => textsIn(field.made, at === '' ? name : `${at}.${name}`));
    case 'words':
    case 'number':
    case 'flag':
      return [];
  }
}

/** The type of an event, from its shape. */
const typeOf = (made: Structure): readonly string[] => {
  if (made.of !== 'fields') return [];
  const { type } = made.fields;
  return type?.made.of === 'words' ? type.made.words.map(String) : [];
};

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

  it('masks every field whose name says that it is prose', () => {
    const open = EventBody.options.flatMap(({ made }) => {
      const [type = ''] = typeOf(made);
      const masked = new Set(MASKED[type]);
      const said = textsIn(made, '').filter((path) => PROSE.has(path.split(/[.[]/).findLast((name) => name !== ']') ?? ''));
      return KEPT_WHOLE.some((each) => each === type) ? [] : said.filter((path) => !masked.has(path)).map((path) => `${type} ${path}`);
    });
    expect(open.filter((path) => !OPERATORS.test(path))).toEqual(['task.taken claim.changed[].why', 'question.asked question.held.changed[].why']);
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
