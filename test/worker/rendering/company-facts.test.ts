import { expect, test } from 'vitest';
import {
  addressesOf,
  companyOf,
  missingAddresses,
  missingFacts,
} from '../../../worker/rendering/company-facts.ts';
import { open, texts } from '../open-page.ts';

test('company facts: the imprint shows them, or the variable’s name', async () => {
  const { html } = await open('/imprint', {}, { COMPANY_NAME: 'Lighthouse Ltd' });
  expect(texts(html, 'p')).toEqual(
    expect.arrayContaining(['Lighthouse Ltd', '‹COMPANY_ADDRESS›', '‹SUPPORT_EMAIL›']),
  );
});

test('company facts: missing variables are listed', () => {
  expect(companyOf({ SUPPORT_EMAIL: 'help@example.com' }).email).toBe('help@example.com');
  expect(missingFacts({ COMPANY_NAME: 'Lighthouse Ltd', SUPPORT_EMAIL: '' })).toEqual([
    'COMPANY_ADDRESS',
    'COMPANY_REPRESENTATIVE',
    'COMPANY_REGISTER',
    'COMPANY_VAT',
    'SUPPORT_EMAIL',
    'GOVERNING_LAW',
  ]);
});

test('company facts: pages without an outside address are listed', () => {
  const elsewhere = { TERMS_URL: 'https://example.com/terms', PRIVACY_URL: '' };
  expect(addressesOf(elsewhere)).toMatchObject({
    terms: 'https://example.com/terms',
    privacy: '/privacy',
    imprint: '/imprint',
  });
  expect(missingAddresses(elsewhere)).toEqual([
    'PRIVACY_URL',
    'REFUNDS_URL',
    'SUPPORT_URL',
    'COOKIES_URL',
    'IMPRINT_URL',
  ]);
});
