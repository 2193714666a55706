// The hook of an agent, bundled into one small file: it runs at every tool call, so it loads only what it needs.
import { runHook } from '../door/answer-hooks/run-hook.ts';

const [first, second] = process.argv.slice(2);

// The bundle is CommonJS because node starts that faster. It has no top-level await.
void runHook(first === 'hook' ? second : first, import.meta.dirname).then((code) => {
  process.exitCode = code;
});
