/**
 * Fills `{{name}}` placeholders: `interpolate('Pay {{amount}}', { amount: '$6.99' })`. A
 * placeholder without a value stays, so that it is noticed.
 */
export function interpolate(
  text: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) =>
    String(values[name] ?? place),
  );
}
