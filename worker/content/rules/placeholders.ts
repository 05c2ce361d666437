const variables = /\{\{\s*(\w+)\s*\}\}/g;
/** `[label](name)` with a translated label, or `[name]`. */
const links = /\[[^\]]*\]\((\w+)\)|\[(\w+)\]/g;
const tags = /<[^>]*>?/g;

export function placeholdersOf(text: string): string[] {
  const found = [
    ...[...text.matchAll(variables)].map(([, name]) => `{{${name}}}`),
    ...[...text.matchAll(links)].map(([, target, bare]) =>
      target ? `[](${target})` : `[${bare}]`,
    ),
    ...[...text.matchAll(tags)].map(([tag]) => tag),
  ];
  return [...new Set(found)].sort();
}

const pluralSuffix = /_(zero|one|two|few|many|other)$/;

const numbers = Array.from({ length: 200 }, (_, at) => at + 1);

/** Whether the plural form covers exactly one number, which the text may then spell out. */
export function statesOneNumber(key: string, language: string): boolean {
  const form = pluralSuffix.exec(key)?.[1];
  if (!form) return false;
  if (form === 'zero') return true;
  const rules = new Intl.PluralRules(language);
  return numbers.filter((number) => rules.select(number) === form).length === 1;
}

/** @param key a plural form of one number may omit `{{count}}` */
export function placeholdersMatch(
  text: string,
  model: string,
  key: string,
  language: string,
): boolean {
  const bare = text.replace(variables, '');
  if (/\{\{|\}\}|\$t\(/.test(bare)) return false;
  const countOptional = statesOneNumber(key, language);
  const required = (found: string[]) =>
    (countOptional ? found.filter((one) => one !== '{{count}}') : found).join();
  return required(placeholdersOf(text)) === required(placeholdersOf(model));
}
