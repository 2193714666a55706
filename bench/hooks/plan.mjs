const untouched = { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '', notes: '' };

/** One story that is not started. */
export const plan = {
  project: 'p',
  branchName: 'main',
  description: 'd',
  verifyCommands: [],
  userStories: [{ id: 'US-001', title: 't', description: 'd', acceptanceCriteria: ['c'], priority: 1, dependsOn: [], ...untouched }],
};
