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
export const languageName = (code: string): string => nameIn(languages, code);
