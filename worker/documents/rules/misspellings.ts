/** Whether one word becomes the other with at most this many insertions, deletions and replacements. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  if (!one || !other) return true;
  const [a, b] = [one.slice(1), other.slice(1)];
  return one[0] === other[0]
    ? isWithin(edits, a, b)
    : isWithin(edits - 1, a, b) || isWithin(edits - 1, one, b) || isWithin(edits - 1, a, other);
}

/** Up to a third of the letters may be wrong, at most four; two swapped letters count as two. */
export function similarName(written: string, names: readonly string[]): string | undefined {
  for (let edits = 1; edits <= Math.min(4, (written.length + 1) / 3); edits++) {
    const meant = names.find((name) => isWithin(edits, written, name));
    if (meant) return meant;
  }
  return undefined;
}

/** A suffix such as `; did you mean weight?`; empty without a similar name. */
export function didYouMean(written: unknown, names: readonly string[]): string {
  const meant = typeof written === 'string' && similarName(written, names);
  return meant ? `; did you mean ${meant}?` : '';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Fields that a schema dropped. @param names of fields that the schema has */
export function unusedFields(
  written: unknown,
  parsed: unknown,
  names: readonly string[],
  path = '',
): { path: string; reason: string }[] {
  if (!isObject(written) || !isObject(parsed)) return [];
  return Object.keys(written).flatMap((key) => {
    const at = path ? `${path}.${key}` : key;
    return Object.hasOwn(parsed, key)
      ? unusedFields(written[key], parsed[key], names, at)
      : [{ path: at, reason: `this field is not used${didYouMean(key, names)}` }];
  });
}
