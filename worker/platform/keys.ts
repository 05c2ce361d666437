/** The keys of an object that has no others than its type says. */
export const typedKeys = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as Extract<keyof Fields, string>[];

export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
) => Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>;

export const isOneOf =
  <Name extends string>(names: readonly Name[]) =>
  (value: unknown): value is Name =>
    names.some((name) => name === value);
