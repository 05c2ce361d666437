/**
 * The form of a counted text that a language wants, out of `<key>_one`, `<key>_few`, … of an
 * island's words; `<key>_other` where it has no form of its own.
 *
 * @param language BCP 47
 */
export function pluralOf(
  words: Readonly<Record<string, string>>,
  key: string,
  count: number,
  language: string,
): string {
  const form = new Intl.PluralRules(language).select(count);
  return words[`${key}_${form}`] ?? words[`${key}_other`] ?? '';
}
