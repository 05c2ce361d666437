import { expect, test } from 'vitest';
import {
  addressesOf,
  companyOf,
  missingAddresses,
  missingFacts,
} from '../../../worker/rendering/company-facts.ts';
import { open, texts } from '../open-page.ts';

test('facts that are set stand in the imprint, others as their variable’s name', async () => {
  const { html } = await open('/imprint', {}, { COMPANY_NAME: 'Lighthouse Ltd' });
  expect(texts(html, 'p')).toEqual(
    expect.arrayContaining(['Lighthouse Ltd', '‹COMPANY_ADDRESS›', '‹SUPPORT_EMAIL›']),
  );
});

test('what is missing is named, so that deploy can warn', () => {
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

test('a page stands at its address, or with us, and deploy can name which', () => {
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
