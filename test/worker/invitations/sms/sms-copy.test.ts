import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { languages } from '../../../../worker/content/language-files.ts';
import { durations } from '../../../../worker/invitations/rules/invitation.ts';
import {
  exampleSms,
  invitationLink,
  invitationSms,
  optOutCodeSms,
  ownMessage,
  reminderSms,
  replySms,
  smsCopyVersion,
  smsLanguage,
  smsTextsFor,
} from '../../../../worker/invitations/sms/sms-copy.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { logger } from '../../../../worker/platform/log.ts';
import { resetState } from '../../reset-state.ts';

const site = 'https://funnel.test';
const code = 'A'.repeat(22);
const about = { name: 'Ana', site, code };
const textsOf = (country: string, more: Partial<Env> = {}) =>
  smsTextsFor(country, { ...env, ...more }, logger());

test.each([
  ['DE', 'de'],
  ['AT', 'de'],
  ['BR', 'pt-BR'],
  ['MX', 'es'],
  ['EG', 'ar'],
  ['JP', 'ja'],
  ['KR', 'ko'],
  ['UA', 'uk'],
  ['US', 'en'],
  ['IN', 'en'],
  ['SE', 'en'],
  [null, 'en'],
])('SMS copy: people in %s get %s', (country, language) =>
  expect(smsLanguage(country)).toBe(language),
);

/** A country of each language. */
const countries = 'SA DE US ES FR IT JP KR NL PL BR RU TR UA'.split(' ');

test('SMS copy: every language has a country in this test', () =>
  expect(countries.map(smsLanguage).sort()).toEqual([...languages]));

test.each(countries)(
  'SMS copy: in %s an SMS has the requester, duration, link and STOP',
  async (country) => {
    const own = await textsOf(country);
    const texts = durations.map((duration) => invitationSms(env, own, duration, about));
    expect(new Set(texts).size).toBe(3);
    for (const text of [...texts, reminderSms(env, own, about)]) {
      expect(text).toMatch(/^Geozilla/);
      expect(text).toContain('Ana');
      expect(text).toContain(` ${invitationLink(site, code)} `);
      expect(text).toContain('STOP');
      expect(text).not.toMatch(/\{|\bwww|!/);
      expect(text.length).toBeLessThanOrEqual(280);
    }
    const proof = optOutCodeSms(env, own, '012345');
    expect(proof).toMatch(/^Geozilla.*012345.*24.*STOP/);
    expect(proof).not.toMatch(/\{|#/);
    expect(proof.length).toBeLessThanOrEqual(280);
    for (const reply of ['stopped', 'started', 'help'] as const) {
      const text = replySms(env, own, reply, site);
      expect(text).toMatch(/^Geozilla/);
      expect(text).not.toMatch(/\{|#/);
    }
    expect(replySms(env, own, 'help', site)).toMatch(new RegExp(`${site} .*STOP`));
  },
);

/** The characters of GSM-7: 3GPP TS 23.038, 6.2.1. A text with any other one is sent as UCS-2. */
const gsm7 = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;

/** What a vendor charges for: https://www.twilio.com/docs/glossary/what-sms-character-limit */
function segmentsOf(text: string): number {
  const [alone, joined] = gsm7.test(text) ? [160, 153] : [70, 67];
  return text.length <= alone ? 1 : Math.ceil(text.length / joined);
}

test('SMS copy: an invitation costs two segments in GSM-7 and three in UCS-2, with a long name', async () => {
  const long = { ...about, name: 'M'.repeat(20) };
  const inGsm7 = ['DE', 'US', 'FR', 'IT', 'NL'];
  const costs = await Promise.all(
    countries.map(async (country) => {
      const own = await textsOf(country);
      const texts = durations.map((duration) => invitationSms(env, own, duration, long));
      return [country, Math.max(...texts.map(segmentsOf))];
    }),
  );
  const expected = countries.map((country) => [country, inGsm7.includes(country) ? 2 : 3]);
  expect(costs).toEqual(expected);
});

test("SMS copy: the product's name comes first, whatever the company is called", async () => {
  const more = { ...env, COMPANY_NAME: 'Ours', THEME: 'fl' };
  const own = await textsOf('US');
  const words = `Family Locator: Ana asks you to share your location once, visible for 1 hour. You decide: ${site}/i#${code}`;
  expect(invitationSms(more, own, 'hour', about)).toBe(`${words} Reply STOP to opt out`);
  // STOP would reach the person who sends it from their own phone.
  expect(ownMessage(more, own, 'hour', about)).toBe(words);
});

test('SMS copy: the example link is isolated where text runs from right to left', async () => {
  await textsOf('SA');
  const who = { brand: 'Geozilla', name: 'Ana' };
  expect(exampleSms('ar', 'hour', who)).toContain('\u2066https://…\u2069');
  expect(exampleSms('en', 'hour', who)).toContain('You decide: https://… Reply');
});

test('SMS copy: changed texts need the next version', async () => {
  const texts = await Promise.all(countries.map((country) => textsOf(country)));
  const all = texts.flatMap((own) => [
    ...durations.map((duration) => invitationSms(env, own, duration, about)),
    reminderSms(env, own, about),
  ]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(all.join('\n')));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  expect([smsCopyVersion, hash.join('').slice(0, 16)]).toEqual([5, '2d0c36fa5e5aaf70']);
});

test('SMS copy: texts that cannot be read are not replaced by another language', async () => {
  const ASSETS = { fetch: () => Promise.reject(new Error('down')) } as unknown as Env['ASSETS'];
  resetState('content/asset-file');
  const { smsTextsFor: fresh } = await import('../../../../worker/invitations/sms/sms-copy.ts');
  const texts = fresh('DE', { ...env, ASSETS }, logger());
  await expect(texts).rejects.toMatchObject({ name: 'Unavailable', binding: 'ASSETS' });
});
