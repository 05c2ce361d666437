export function pluralOf(
  words: Readonly<Record<string, string>>,
  key: string,
  count: number,
  language: string,
): string {
  const { PluralRules }: Partial<typeof Intl> = Intl;
  const form = PluralRules ? new PluralRules(language).select(count) : 'other';
  return words[`${key}_${form}`] ?? words[`${key}_other`] ?? '';
}
