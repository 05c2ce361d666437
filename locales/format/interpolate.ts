/**
 * Puts values into a text's `{{name}}` places: `fill('Pay {{amount}}', { amount: '$6.99' })`.
 * A place without a value stays as it is, so that a missing value is seen.
 */
export function interpolate(
  text: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) =>
    String(values[name] ?? place),
  );
}
