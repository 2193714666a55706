import type { CommonSettings, LoopSpec, RecipeName, RunSettings, SuperviseSpec } from '../../src/settings/schema/run-settings.ts';
import { NO_SANDBOX } from '../../src/settings/schema/sandbox-spec.ts';
import type { StoriesSpec } from '../../src/settings/schema/stories-spec.ts';
import type { WorkSpec } from '../../src/settings/schema/work-spec.ts';

const GROUPS = ['loop', 'supervise', 'work', 'stories'] as const;

/** What differs from the usual settings. The group says the recipe. */
export type SettingsChange = Partial<CommonSettings> & {
  readonly recipe?: RecipeName;
  readonly loop?: LoopSpec;
  readonly supervise?: SuperviseSpec;
  readonly work?: WorkSpec;
  readonly stories?: StoriesSpec;
};

/** Settings for tests: everything limited, nothing slow; pass only what differs. */
export function testSettings(over: SettingsChange = {}): RunSettings {
  return { recipe: GROUPS.find((group) => over[group]) ?? 'run', ...commonSettings(), ...over } as RunSettings;
}

function commonSettings(): CommonSettings {
  return {
    prompt: { from: 'text', text: 'Do the work.' },
    agent: { kind: 'stream-json', command: 'scripted', flags: [], model: null, autonomy: 'full' },
    claims: [{ kind: 'response', word: 'DONE' }],
    gates: [{ command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 60_000 }],
    outputTruncateChars: 5000,
    includeIterationCount: false,
    maximumIterations: 5,
    lanes: 1,
    streamAgentOutput: true,
    onAgentError: 'continue',
    requireChange: false,
    limits: {
      idleMs: 60_000,
      iterationMs: 600_000,
      outputBytes: 0,
      lingerMs: 15_000,
      limitWaitMs: 3_600_000,
      repeats: 3,
      failurePauseMs: 1_000,
      graceMs: { sigint: 60_000, sigterm: 10_000 },
    },
    scm: null,
    reviews: null,
    protect: [],
    wall: NO_SANDBOX,
    console: { emoji: true, color: true, timestamps: false, maxOutputLines: 3, maxOutputChars: 120 },
  };
}
