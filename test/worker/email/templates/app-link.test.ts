import * as v from 'valibot';
import { expect, test } from 'vitest';
import { translationsFor } from '../../../../worker/content/translations.ts';
import { appLink } from '../../../../worker/email/templates/app-link.ts';

test('the way into the app says how long it works, and to keep it', () => {
  const desk = {
    t: translationsFor('en').mails,
    language: 'en',
    site: 'https://funnel.test',
    support: 'help@funnel.test',
  };
  const { action, small } = appLink.write(desk, { code: 'c' });
  expect(action?.href).toBe('https://funnel.test/d#c');
  expect(small?.join(' ')).toMatch(/once.*24 hours.*yourself/s);
  expect(v.is(appLink.data, {})).toBe(false);
});
