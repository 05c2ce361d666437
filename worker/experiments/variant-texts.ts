import type { FlatTexts } from '../content/rules/text-overrides.ts';
import type { Variants, VariantTexts } from './running-experiments.ts';

export const textsOn = (screen: string, { texts }: Variants): VariantTexts[] =>
  texts.filter(({ screens }) => screens.has(screen));

/** In one language; the first experiment of the document wins. */
export const mergedTexts = (changes: readonly VariantTexts[], language: string): FlatTexts =>
  Object.assign({}, ...changes.map(({ texts }) => texts[language]).reverse());
