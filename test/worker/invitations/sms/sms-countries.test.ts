import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { defaultLimits } from '../../../../worker/invitations/rules/sms-limits.ts';
import { senderFor, smsLimits } from '../../../../worker/invitations/sms/sms-countries.ts';
import { countryRule } from '../../../../worker/phone-lookup/sms-reach.ts';

const log = vi.fn();
const rule = (SMS_COUNTRIES: string | undefined, country: string | null) =>
  countryRule({ ...env, SMS_COUNTRIES }, country, log);
const limits = (SMS_LIMITS: string | undefined) => smsLimits({ ...env, SMS_LIMITS }, log);

test('SMS countries: a country is off until it is listed', () => {
  const named = '{"DE":{"cents":8,"from":"+4915735988888"}}';
  expect(rule(named, 'DE')).toEqual({ cents: 8, from: '+4915735988888' });
  for (const country of ['FR', 'toString', null]) expect(rule(named, country)).toBeUndefined();
  expect(rule(undefined, 'DE')).toBeUndefined();
});

test.each([
  '{',
  '[]',
  '{"DE":{}}',
  '{"de":{"cents":8}}',
  '{"DE":{"cents":-1}}',
  '{"DE":{"cents":1,"from":""}}',
  '{"DE":{"cents":1,"from":"Funnel"}}',
])('SMS countries: invalid rules such as %s enable no country, and one line is logged', (text) => {
  log.mockClear();
  expect(rule(text, 'DE')).toBeUndefined();
  if (text !== '[]') {
    const logged = expect.objectContaining({ variable: 'SMS_COUNTRIES' });
    expect(log).toHaveBeenCalledWith('error', 'config_refused', logged);
  }
});

test('SMS countries: the sender must be a number that accepts replies', () => {
  const from = (SMS_FROM: string | undefined, own?: string) =>
    senderFor({ ...env, SMS_FROM }, own ? { cents: 1, from: own } : undefined);
  expect(from('+15005550006')).toBe('+15005550006');
  expect(from('+15005550006', '+4915735988888')).toBe('+4915735988888');
  for (const name of [undefined, '', 'Funnel', '15005550006']) expect(from(name)).toBeUndefined();
});

test('SMS countries: SMS_LIMITS overrides the defaults; malformed limits allow nothing', () => {
  expect(limits(undefined)).toBe(defaultLimits);
  expect(limits('{"prefix":3}')).toEqual({ ...defaultLimits, prefix: 3 });
  expect(limits('{"prefix":"many"}').day).toBe(0);
});
