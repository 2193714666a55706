// The hook of an agent, bundled into one file of its own: it runs at every tool call, so nothing is loaded that it does not need.
import { runHook } from '../door/answer-hooks/run-hook.ts';

const [first, second] = process.argv.slice(2);

// The bundle is CommonJS, which node starts faster, and which cannot wait here.
void runHook(first === 'hook' ? second : first, import.meta.dirname).then((code) => {
  process.exitCode = code;
});
