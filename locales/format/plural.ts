export function pluralOf(
  words: Readonly<Record<string, string>>,
  key: string,
  count: number,
  language: string,
): string {
  const form = new Intl.PluralRules(language).select(count);
  return words[`${key}_${form}`] ?? words[`${key}_other`] ?? '';
}
