const places = /\{\{\s*(\w+)\s*\}\}/g;
/** `[label](name)`, where the label is a word of the language, and `[name]`, where it is not. */
const links = /\[[^\]]*\]\((\w+)\)|\[(\w+)\]/g;
const tags = /<[^>]*>?/g;

/** What a text holds besides its words: `{{place}}`, `[link]`, `<tag>`; each once, sorted. */
export function placeholdersOf(text: string): string[] {
  const found = [
    ...[...text.matchAll(places)].map(([, name]) => `{{${name}}}`),
    ...[...text.matchAll(links)].map(([, aimed, bare]) => (aimed ? `[](${aimed})` : `[${bare}]`)),
    ...[...text.matchAll(tags)].map(([tag]) => tag),
  ];
  return [...new Set(found)].sort();
}

/** How a key of one plural form ends: `_few`. */
const pluralEnd = /_(zero|one|two|few|many|other)$/;

/** Numbers that we may have to say: days, months, people. */
const numbers = Array.from({ length: 200 }, (_, at) => at + 1);

/** Whether a form of the plural stands for one number only, so that a text may say it in words. */
export function statesOneNumber(key: string, language: string): boolean {
  const form = pluralEnd.exec(key)?.[1];
  if (!form) return false;
  if (form === 'zero') return true;
  const rules = new Intl.PluralRules(language);
  return numbers.filter((number) => rules.select(number) === form).length === 1;
}

/**
 * Whether a text fills in and links what its model does.
 *
 * @param key of the text; one for a single number may leave `{{count}}` out
 * @param language BCP 47
 */
export function placeholdersMatch(
  text: string,
  model: string,
  key: string,
  language: string,
): boolean {
  const bare = text.replace(places, '');
  if (/\{\{|\}\}|\$t\(/.test(bare)) return false;
  const free = statesOneNumber(key, language);
  const needed = (marks: string[]) =>
    (free ? marks.filter((mark) => mark !== '{{count}}') : marks).join();
  return needed(placeholdersOf(text)) === needed(placeholdersOf(model));
}
