// The minimum that taking a task needs: a plan that costs nothing to read, and no audit.

export function taskPlan(count) {
  const tasks = Array.from({ length: count }, (_, n) => ({
    id: `T-${n}`,
    title: `Task ${n}`,
    description: '',
    story: null,
    milestones: [],
    tags: [],
    priority: 1,
    complexity: null,
    status: 'pending',
    needs: [],
    outputs: [],
    verify: [],
    path: null,
  }));
  const reading = { plan: { project: 'bench', tasks, stories: [], milestones: [], verify: [] }, digest: '', problems: [] };
  return { read: async () => reading, write: async () => 'changed', pathspecs: [] };
}

export function portsOf(run, workPorts) {
  return {
    work: { ...workPorts, branches: { merged: async () => null }, withGatesAtStart: (task) => task, runPromptCommand: null, audit: async () => undefined },
    clock: { nowMs: Date.now },
    settings: { work: { plan: { path: 'task-graph.yaml' }, filter: { story: null, milestone: null, tags: [] } } },
    place: { markerPrefix: `${run}~1`, workspace: '' },
  };
}
