type Variables = Readonly<Record<string, string>>;

/** Variables that give git these settings, in addition to those that the environment already has. */
export function gitVariables(settings: readonly (readonly [key: string, value: string])[], env: Variables): Variables {
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(before + settings.length), ...Object.fromEntries(pairs) };
}
