import type { FlatTexts } from '../content/rules/text-overrides.ts';

/** Texts that a variant changes on these screens. */
export interface VariantTexts {
  arm: string;
  screens: ReadonlySet<string>;
  texts: Readonly<Record<string, FlatTexts>>;
}

interface Changed {
  texts: readonly VariantTexts[];
}

export const textsOn = (screen: string, { texts }: Changed): VariantTexts[] =>
  texts.filter(({ screens }) => screens.has(screen));

/** In one language; the first experiment of the document wins. */
export const mergedTexts = (changes: readonly VariantTexts[], language: string): FlatTexts =>
  Object.assign({}, ...changes.map(({ texts }) => texts[language]).reverse());
