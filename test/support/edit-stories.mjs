// Changes ralph/tasks.json as a line of JavaScript says, which knows the list as `plan` and a story as `of(id)`: for models that only have a shell.
import { readFileSync, writeFileSync } from 'node:fs';

const PLAN = 'ralph/tasks.json';
const plan = JSON.parse(readFileSync(PLAN, 'utf8'));
const of = (id) => plan.userStories.find((story) => story.id === id);
new Function('plan', 'of', process.argv[2])(plan, of);
writeFileSync(PLAN, `${JSON.stringify(plan, null, 2)}\n`);
