// npm test: every check of the house, in order, stopping at the first that fails. --static and --quick run a part of it.
import { exitCodeOf, runStages } from './check/run-stages.mjs';
import { everything, quick, staticChecks } from './check/stages.mjs';
import { describeEnd, describeStep } from './check/summary.mjs';

function stagesFor(args) {
  if (args.includes('--static')) return staticChecks;
  return args.includes('--quick') ? quick : everything;
}

const results = await runStages(stagesFor(process.argv.slice(2)), (result) => console.log(describeStep(result)));
console.log(describeEnd(results));
process.exitCode = exitCodeOf(results);
