export const brands = {
  geozilla: 'Geozilla',
  'family-locator': 'Family Locator',
  found: 'Found',
  brainbloom: 'Brainbloom',
} as const;

export type Theme = keyof typeof brands;

const themes: Record<string, Theme> = {
  geozilla: 'geozilla',
  gz: 'geozilla',
  'family-locator': 'family-locator',
  fl: 'family-locator',
  found: 'found',
  fo: 'found',
  brainbloom: 'brainbloom',
  bb: 'brainbloom',
};

export function themeOf(name: string | undefined): Theme {
  return (name && Object.hasOwn(themes, name) && themes[name]) || 'geozilla';
}

/** The product's name on pages and in messages. The seller's name is another fact. */
export const brandOf = ({ THEME }: { THEME?: string }): string => brands[themeOf(THEME)];
