const variables = /\{\{\s*(\w+)\s*\}\}/g;
/** `[label](name)` with a translated label. */
const links = /\[[^\]]*\]\((\w+)\)/g;
const tags = /<[^>]*>?/g;

export function placeholdersOf(text: string): string[] {
  const found = [
    ...[...text.matchAll(variables)].map(([, name]) => `{{${name}}}`),
    ...[...text.matchAll(links)].map(([, target]) => `[](${target})`),
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

/** What a text lacks or has beyond its model. @param key a plural form of one number may omit `{{count}}` */
export function placeholderDifference(
  text: string,
  model: string,
  key: string,
  language: string,
): { isBroken: boolean; missing: string[]; unknown: string[] } {
  const bare = text.replace(variables, '');
  const isOptional = (one: string) => one === '{{count}}' && statesOneNumber(key, language);
  const [own, wanted] = [placeholdersOf(text), placeholdersOf(model)];
  const beyond = (some: string[], others: string[]) =>
    some.filter((one) => !others.includes(one) && !isOptional(one));
  return {
    isBroken: /\{\{|\}\}|\$t\(/.test(bare) || text.replace(links, '').includes(']('),
    missing: beyond(wanted, own),
    unknown: beyond(own, wanted),
  };
}

export function placeholdersMatch(
  text: string,
  model: string,
  key: string,
  language: string,
): boolean {
  const { isBroken, missing, unknown } = placeholderDifference(text, model, key, language);
  return !isBroken && missing.length === 0 && unknown.length === 0;
}
