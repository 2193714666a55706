// What the texts of the source say twice, and where they ask which recipe a run has.

/** May only fall: whoever removes some lowers it. */
const mostRepeats = 5;
const runLines = 6;

/**
 * The question "which recipe is this run". Only `runs/recipes/`, which chooses the recipe, and the table of what differs may ask it. "Does it have the group
 * of a recipe" needs no pattern: the settings are a union, so the compiler refuses it elsewhere.
 */
const asks = /\brecipe (?:===|!==)|\bswitch \([\w.?]*\brecipe\)|'(?:loop|work|stories|supervise)' in\b/g;

export function textFigures(files) {
  const outside = files.filter(({ path }) => !path.startsWith('runs/recipes/') && path !== 'settings/schema/recipe-facts.ts');
  const asking = outside.reduce((sum, { text }) => sum + (text.match(asks)?.length ?? 0), 0);
  const repeats = repeatsIn(files).length;
  return [
    { name: 'questions which recipe a run has', value: asking === 0 ? 'none' : String(asking), goal: 'none', isMet: asking === 0 },
    { name: `repeats of ${runLines} lines or more`, value: String(repeats), goal: `at most ${mostRepeats}`, isMet: repeats <= mostRepeats },
  ];
}

/** Each place where a run of lines begins that was there before. Imports, comments and lone punctuation do not count. */
export function repeatsIn(files) {
  const seen = new Set();
  return files.flatMap(({ path, text }) => {
    const lines = text
      .replaceAll(/^(?:import|export)\b[^;]*?from '[^']*';$/gm, '')
      .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line));
    const runs = lines.slice(runLines - 1).map((_, at) => lines.slice(at, at + runLines).join('\n'));
    const isRepeat = runs.map((run) => seen.has(run));
    for (const run of runs) seen.add(run);
    return runs.filter((_, at) => isRepeat[at] && !isRepeat[at - 1]).map((run) => `${path}: ${run.split('\n')[0]}`);
  });
}
