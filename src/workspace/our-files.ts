/** Our own files, in the language of a .gitignore, in whatever folder a loop works. They stay out of the user's history; settings.json is the user's. */
export const OUR_FILES: readonly string[] = ['**/.ralph/*', '!**/.ralph/settings.json', '.ralph-active', 'logs/ralph.*', 'logs/task-audit.jsonl'];
