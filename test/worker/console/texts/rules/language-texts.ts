import type { LanguageTexts } from '../../../../../worker/console/texts/rules/texts.ts';

export const languageTexts = (
  tag: string,
  builtIn: LanguageTexts['builtIn'],
  published: LanguageTexts['published'] = {},
): LanguageTexts => ({ tag, builtIn, published, confirmed: new Map() });
