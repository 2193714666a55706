/** Whether the operator's own flags already decide what one of these would; `--name=value` counts as `--name`. */
export function choosesOneOf(flags: readonly string[], names: readonly string[]): boolean {
  return flags.some((flag) => names.includes(flag.split('=', 1)[0] ?? ''));
}
