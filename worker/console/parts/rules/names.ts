import { brandOf } from '../../../content/rules/themes.ts';

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
  youtube: 'YouTube',
  email: 'E-mail',
};

const properName = (code: string) => proper[code] ?? code;

export const deviceName = properName;
export const sourceName = properName;
export const themeName = (code: string): string => brandOf({ THEME: code });
/** A network or placement of ads. */
export const trafficName = (code: string): string =>
  proper[code] ?? code.charAt(0).toUpperCase() + code.slice(1).replace('_', ' ');
export const languageName = (code: string): string => nameIn(languages, code);
