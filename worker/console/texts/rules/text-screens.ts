import { screensWith } from '../../../experiments/rules/text-screens.ts';

/** Parts whose names in keys say little. */
const sections: Record<string, string> = {
  document: 'Page title and search result',
  common: 'On every page',
  scene: 'Picture of the map',
  toast: 'Short messages',
  limits: 'What we cannot do',
  plans: 'Names of plans',
  number: 'Remarks about the number',
};

/** A part of the pages, such as `Phone form`. */
export function sectionOf(key: string): string {
  const [, part = ''] = key.split('.');
  const named = sections[part];
  if (named !== undefined) return named;
  const words = part.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A screen's texts: its own first, the page's before its islands'. @param keys in the order of English */
export function keysOn(screen: string, keys: readonly string[]): string[] {
  const found = keys
    .map((key) => ({ key, screens: screensWith(key) }))
    .filter(({ screens }) => screens.includes(screen));
  const rank = ({ key, screens }: (typeof found)[number]) =>
    2 * screens.length + (key.startsWith('islands.') ? 1 : 0);
  return found.sort((a, b) => rank(a) - rank(b)).map(({ key }) => key);
}
