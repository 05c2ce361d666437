import { expect, test } from 'vitest';
import { translationsFor } from '../../../../worker/content/translations.ts';
import { cancelLink, manageLink } from '../../../../worker/email/templates/account-links.ts';

test('each link leads to its page, and says how long it works', () => {
  const t = translationsFor('en').mails;
  const desk = { t, language: 'en', site: 'https://funnel.test', support: '' };
  const letters = [manageLink, cancelLink].map(({ write }) => write(desk, { code: 'c' }));
  expect(letters.map(({ action }) => action?.href)).toEqual([
    'https://funnel.test/manage#c',
    'https://funnel.test/cancel#c',
  ]);
  for (const { small } of letters) expect(small?.join(' ')).toMatch(/once.*15 minutes/s);
});
