import { codeSpan, oneLine } from '../../kit/pure/text.ts';
import { historySections, type RootPromptRequest } from './root-prompt-history.ts';

/** The words before the task in every prompt but the first (seed 002). */
const RESTART_PREFIX = 'Continue working on the following:\n\n';

/** The prompt of a supervised agent: the loop's part, a line, and the task in the operator's own words (seed 002). */
export function buildRootPrompt(request: RootPromptRequest): string {
  return `${preamble(request)}\n\n---\n\n${taskText(request)}`;
}

function taskText({ text, previous }: RootPromptRequest): string {
  return previous === null || text === '' ? text : `${RESTART_PREFIX}${text}`;
}

function preamble(request: RootPromptRequest): string {
  const variables = request.variables.map(([name, value]) => `${name}=${oneLine(value)}`).join('\n');
  return [variables, whoYouAre(request), busSection(request), CHILDREN, ...endSections(request), ...historySections(request)].join('\n\n');
}

function endSections(request: RootPromptRequest): readonly string[] {
  return request.agent === 'child' ? [childCompletion(request)] : [waitingSection(request), rootCompletion(request)];
}

function whoYouAre({ agent, project, task, life, maximum }: RootPromptRequest): string {
  const of = `task ${codeSpan(task)}, project ${codeSpan(project)}`;
  const split = 'Everything above the line of three dashes is told by the loop that runs you; what is to be done stands below it.';
  if (agent === 'child') return `You are a child agent of ${of}: another agent has given you a part of its work. ${split}`;
  return (
    `You are the root agent of ${of}. ${split}\n` +
    `This is life ${life} of at most ${Math.max(life, maximum)}. Each begins with an empty memory: what earlier ones did is in the files, on the message bus, and in what is written here.`
  );
}

function busSection({ agent }: RootPromptRequest): string {
  const answers = agent === 'root' ? ' The answer is in the prompt of a later life.' : '';
  return `## Message bus

The bus of this task is read by people and by other agents, and outlives you. Post what they should know:

\`\`\`sh
ralph bus post --type PROGRESS|FACT|ERROR|DECISION|QUESTION --body "what happened"
\`\`\`

PROGRESS: what you are at. FACT: what is finished, or found out for certain. ERROR: what went wrong. DECISION: what you have chosen, and why. QUESTION: what only a person can answer.${answers}
A long body may come on standard input instead of \`--body\`. Read the last messages with \`ralph bus read --tail 20\`.`;
}

const CHILDREN = `## Children

A part of the work can be given to a child, which is an agent of its own that knows nothing but what you write to it:

\`\`\`sh
ralph job --follow -p "what to do"
\`\`\`

That shows what the child says and waits for its end. \`ralph job --detach -p "what to do"\` comes back at once with the id of its run; how it stands tells \`ralph runs show RUN\`, what it has said \`ralph runs tail RUN\`. With \`--agent NAME\` it is another agent than you.
First weigh whether it pays: what is small or hangs together you do faster yourself. Otherwise split the work into parts that do not touch the same files, let them run side by side, then bring the results together and look at the whole yourself.
The loop sees every child that is started in this way. Before it ends the task it waits for those that work on it, though not for ever.`;

function waitingSection({ folder }: RootPromptRequest): string {
  return `## Waiting

When you cannot go on before something happens outside (somebody answers, a build somewhere ends), ending alone does not help: you would be started again. Say that you wait, in one of these ways, and end then:

- \`ralph bus post --type wait_without_restart --body "why"\`
- create ${codeSpan(`${folder}/WAIT_WITHOUT_RESTART`)}; what it holds is taken for the reason
- exit with code 42, if you choose your own exit code

You are started again when a person says so.`;
}

function rootCompletion({ folder, checks }: RootPromptRequest): string {
  return [
    '## Completion',
    `When done, create: ${oneLine(`${folder}/DONE`)}`,
    'This file alone stops the restarts, whatever you say and whatever the exit code is. It must be a regular file; what is in it does not matter. Never create it while anything is left to do.',
    ...(checks.length === 0
      ? []
      : [`Then the loop runs these checks itself. While one of them is red, DONE is taken away again and you are restarted:\n\n${listed(checks)}`]),
  ].join('\n\n');
}

function childCompletion({ folder, checks }: RootPromptRequest): string {
  return [
    '## Completion',
    `This run is over when you end; nobody restarts you. Your last message is what your parent reads: say what is done, what is not, and where it lies. Do not create ${codeSpan(`${folder}/DONE`)}: whether the whole task is done is for the root agent to say.`,
    ...(checks.length === 0 ? [] : [`After your end the loop runs these checks, and the work counts as done only if all are green:\n\n${listed(checks)}`]),
  ].join('\n\n');
}

const listed = (checks: readonly string[]) => checks.map((check) => `- ${codeSpan(check)}`).join('\n');
