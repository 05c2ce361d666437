export function interpolate(
  text: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) =>
    String(values[name] ?? place),
  );
}
