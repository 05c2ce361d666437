const regions = new Intl.DisplayNames('en', { type: 'region' });
const languages = new Intl.DisplayNames('en', { type: 'language' });

const nameIn = (names: Intl.DisplayNames, code: string) => {
  try {
    return names.of(code) ?? code;
  } catch {
    // Not every counted text is a code.
    return code;
  }
};

export const countryName = (code: string): string => nameIn(regions, code);
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });
export const currencyName = (code: string): string => nameIn(currencyNames, code);

const proper: Record<string, string> = {
  ios: 'iOS',
  android: 'Android',
  desktop: 'Desktop',
  meta: 'Meta',
  google: 'Google',
  tiktok: 'TikTok',
  geozilla: 'Geozilla',
  'family-locator': 'Family Locator',
  found: 'Found',
  brainbloom: 'BrainBloom',
};

const properName = (code: string) => proper[code] ?? code;

export const deviceName = properName;
export const sourceName = properName;
export const themeName = properName;
export const languageName = (code: string): string => nameIn(languages, code);
