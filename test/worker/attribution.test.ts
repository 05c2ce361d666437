import * as v from 'valibot';
import { expect, test } from 'vitest';
import { attributionSchema } from '../../worker/attribution.ts';

const read = (value: unknown) => v.is(attributionSchema, value);

test('marks of ad networks are taken, and nothing that could name a person', () => {
  expect(read({})).toBe(true);
  expect(read({ google_client_id: '12.34', user_data: { fbc: 'fb.1.1.Iw-AR_x~' } })).toBe(true);
  expect(read({ user_data: { source_url: 'app.example.com%2Fx' } })).toBe(true);
  for (const fbc of ['ada@example.com', '+49151', '', 'x'.repeat(513), 5, 'a b']) {
    expect(read({ user_data: { fbc } })).toBe(false);
  }
});
