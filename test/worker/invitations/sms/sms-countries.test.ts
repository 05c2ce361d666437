import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { defaultLimits } from '../../../../worker/invitations/rules/sms-limits.ts';
import { limitsIn, ruleOf, senderOf } from '../../../../worker/invitations/sms/sms-countries.ts';

const log = vi.fn();
const rule = (TEXT_COUNTRIES: string | undefined, country: string | null) =>
  ruleOf({ ...env, TEXT_COUNTRIES }, country, log);
const limits = (TEXT_LIMITS: string | undefined) => limitsIn({ ...env, TEXT_LIMITS }, log);

test('a country is off until it is named', () => {
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
])('rules such as %s switch nothing on, with a line of log', (text) => {
  log.mockClear();
  expect(rule(text, 'DE')).toBeUndefined();
  if (text !== '[]') {
    const said = expect.objectContaining({ key: 'TEXT_COUNTRIES' });
    expect(log).toHaveBeenCalledWith('error', 'config_refused', said);
  }
});

test('texts come from a number, which can be answered, or not at all', () => {
  const from = (TEXT_FROM: string | undefined, own?: string) =>
    senderOf({ ...env, TEXT_FROM }, own ? { cents: 1, from: own } : undefined);
  expect(from('+15005550006')).toBe('+15005550006');
  expect(from('+15005550006', '+4915735988888')).toBe('+4915735988888');
  for (const name of [undefined, '', 'Funnel', '15005550006']) expect(from(name)).toBeUndefined();
});

test('limits are the usual ones but for what is set; broken ones let nothing out', () => {
  expect(limits(undefined)).toBe(defaultLimits);
  expect(limits('{"prefix":3}')).toEqual({ ...defaultLimits, prefix: 3 });
  expect(limits('{"prefix":"many"}').day).toBe(0);
});
