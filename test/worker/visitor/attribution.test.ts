import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import {
  attributionSchema,
  eventSenderSchema,
  withoutForeignAppDomain,
} from '../../../worker/visitor/attribution.ts';

const read = (value: unknown) => v.parse(attributionSchema, value);

test('attribution: ids of ad networks are accepted', () => {
  expect(read({})).toEqual({});
  const marks = {
    appsflyer_id: '1613130000000-4523451',
    google_client_id: '1234567890.1600000000',
    user_data: {
      fbc: 'fb.1.1596403881668.Iw-AR_x~',
      fbp: 'fb.1.1596403881668.1116446470',
      fb_click_id: 'Iw-AR_x~',
      source_url: 'app.example.com',
    },
  };
  expect(read(marks)).toEqual(marks);
});

test.each(['fbc', 'ttp', 'fb_click_id', 'source_url'])(
  'nothing that could name a person is taken for %s',
  (name) => {
    const wrong = [
      ...['ada@example.com', 'ada%40example.com', 'ada%2540example.com', '+49151', '%2B4915112345'],
      ...['212-555-0100', '212.555.0100', '015112345678', '', 'x'.repeat(513), 5, 'a b'],
    ];
    for (const value of wrong) {
      const told = { google_client_id: '12.34', user_data: { [name]: value } };
      expect(read(told)).toEqual({ google_client_id: '12.34', user_data: {} });
    }
  },
);

test('attribution: digits alone are refused, as they could be a phone number', () => {
  const digits = {
    fb_click_id: '4915112345678',
    tt_click_id: '2125550100',
    google_click_id: '5550100',
  };
  expect(read({ user_data: digits })).toEqual({ user_data: {} });
});

test('attribution: only our own app domains are kept', () => {
  const env = { APP_DOMAINS: 'app.example.com' } as Env;
  const told = (source_url: string) => ({ user_data: { fbc: 'a', source_url } });
  expect(withoutForeignAppDomain(told('app.example.com'), env)).toEqual(told('app.example.com'));
  expect(withoutForeignAppDomain(told('evil.example'), env)).toEqual({ user_data: { fbc: 'a' } });
  expect(withoutForeignAppDomain({}, env)).toEqual({});
});

test('attribution: every account id is accepted, whatever its digits', () => {
  const told = {
    user_id: '1a2b3c4d-1234-4567-8901-abcdefabcdef',
    appsflyer_id: 'a1b2c3d4-1234-4567-8901-012345678901-p',
  };
  expect(v.parse(eventSenderSchema, told)).toEqual(told);
});
