import * as v from 'valibot';
import { expect, test } from 'vitest';
import { translationsFor } from '../../../../worker/content/translations.ts';
import { signIn } from '../../../../worker/email/templates/sign-in.ts';

test('the way back says how long it works, and what to do who did not ask', () => {
  const desk = {
    t: translationsFor('en').mails,
    language: 'en',
    site: 'https://funnel.test',
    support: 'help@funnel.test',
  };
  const { action, small } = signIn.write(desk, { code: 'c' });
  expect(action?.href).toBe('https://funnel.test/m#c');
  expect(small?.join(' ')).toMatch(/once.*15 minutes.*did not ask/s);
  expect(v.is(signIn.data, {})).toBe(false);
});
