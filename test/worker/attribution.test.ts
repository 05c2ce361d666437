import * as v from 'valibot';
import { expect, test } from 'vitest';
import { attributionSchema } from '../../worker/attribution.ts';

const read = (value: unknown) => v.parse(attributionSchema, value);

test('marks of ad networks are taken, and nothing that could name a person', () => {
  expect(read({})).toEqual({});
  const marks = {
    google_client_id: '12.34',
    user_data: { fbc: 'fb.1.1.Iw-AR_x~', source_url: 'app.example.com%2Fx' },
  };
  expect(read(marks)).toEqual(marks);
  for (const fbc of [
    'ada@example.com',
    'ada%40example.com',
    '4915123456789',
    '',
    'x'.repeat(513),
    5,
    'a b',
  ]) {
    expect(read({ google_client_id: '12.34', user_data: { fbc } })).toEqual({
      google_client_id: '12.34',
      user_data: {},
    });
  }
});
