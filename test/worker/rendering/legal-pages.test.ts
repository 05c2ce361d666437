import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { networkVars } from '../../../scripts/development-vars.ts';
import { languages } from '../../../worker/content/language-files.ts';
import { logger } from '../../../worker/platform/log.ts';
import {
  addressesOf,
  companyOf,
  missingAddresses,
  missingFacts,
} from '../../../worker/rendering/company-facts.ts';
import { articleOf, isArticleId } from '../../../worker/rendering/legal-pages.ts';
import { attributes, open, texts } from '../open-page.ts';

const log = logger();

test('company facts: the imprint shows them, or the variable’s name', async () => {
  expect(texts((await open('/imprint', {}, { COMPANY_NAME: 'Lighthouse Ltd' })).html, 'p')).toEqual(
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

const ids = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'] as const;
test.for(ids)('legal pages: /%s is a page with its title outside the funnel', async (id) => {
  const { status, html } = await open(`/${id}`);
  expect(status).toBe(200);
  expect(texts(html, 'h1')).toEqual([(await articleOf('en', id, env, log)).title]);
  expect(attributes(html, 'main')).toMatchObject({
    'data-screen': id,
    'data-kind': 'ordinary',
    'data-entry': '',
  });
});
test('legal pages: a missing language falls back to English and is marked so', async () => {
  const article = await articleOf('xx', 'terms', env, log);
  expect(article).toEqual(await articleOf('en', 'terms', env, log));
  expect(article.language).toBe('en');
});
test.for(['Terms', 'constructor', 'one_pager', ''])(
  'legal pages: %s is not a legal page',
  (segment) => expect(isArticleId(segment)).toBe(false),
);
test('legal pages: an outside address replaces ours in every footer', async () => {
  const elsewhere = 'https://example.com/refunds';
  const { html } = await open('/terms?theme=found', {}, { REFUNDS_URL: elsewhere });
  const addresses = [...html.matchAll(/ href="([^"]*refunds)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set([elsewhere]));
});
/** Cookies and storage that a browser may have from us and from vendors that we load. */
const ours =
  'userUuid __Host-visitorKey consent lng carry funnel:1 access_token arm arms landing'.split(' ');
const theirs = ['g_state', '_fbc', '_fbp', '_ttp', '_ga', '_gcl_au', '_clck', '_clsk', 'afUserId'];
test.for(languages)(
  'legal pages: in %s exactly the cookies of this deployment are listed',
  async (language) => {
    const textOf = async (vars: object) =>
      JSON.stringify(await articleOf(language, 'cookies', { ...env, ...vars }, log));
    const bare = await textOf({});
    expect(ours.filter((name) => !bare.includes(name))).toEqual([]);
    expect(theirs.filter((name) => bare.includes(name))).toEqual([]);
    const full = await textOf({ ...networkVars, GOOGLE_CLIENT_ID: 'g' });
    expect([...ours, ...theirs].filter((name) => !full.includes(name))).toEqual([]);
    const meta = await textOf({ META_PIXEL_ID: '1' });
    expect(theirs.filter((name) => meta.includes(name))).toEqual(['_fbc', '_fbp']);
  },
);
