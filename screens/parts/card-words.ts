import type { ScreenProps } from '../../worker/rendering/page-types.ts';

/** The texts of a card form; the note about test cards only where these work. */
export const cardWords = ({ page, text }: Pick<ScreenProps, 'page' | 'text'>) => ({
  ...text['card-form'],
  test: page.isTestMode ? text['card-form'].test : '',
});
