import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph report`: what a person needs in the morning. */
export function addReport(program: Command, finish: Finish): void {
  program
    .command('report')
    .description('Report what a run has proven, what not and why, what it cost, and what to do next. For every kind of run, also while it runs.')
    .argument('[run]', 'a run id or its last characters (default: the newest run of this repository)')
    .option('--json', 'print one JSON object instead of Markdown')
    .option('--output <file>', 'write it to this file instead of standard output')
    .option('--html <file>', 'write one self-contained page with a timeline to this file')
    .addHelpText('after', '\nExample:\n  ralph report --html morning.html')
    .action(async (run, options) => finish(await (await import('./report.ts')).reportCommand(run ?? null, options)));
}

/** `ralph stats`: what past runs have cost and proven. */
export function addStats(program: Command, finish: Finish): void {
  program
    .command('stats')
    .description('Compare agents and models over past runs: proven results, cost per proven result, causes of failure.')
    .option('--since <duration>', 'only runs that started within this time, such as 30d (default: all)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  ralph stats --since 30d')
    .action(async (options) => finish(await (await import('./stats.ts')).statsCommand(options)));
}
