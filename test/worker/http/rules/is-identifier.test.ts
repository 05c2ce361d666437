import { expect, test } from 'vitest';
import { isIdentifier } from '../../../../worker/http/rules/is-identifier.ts';

test.each([
  'ada@example.com',
  'ada%40example.com',
  '4915123456789',
  '+4915123456789',
  '4242424242424242',
  '{"correlation_id":"4915123456789"}',
])('%s may be a person’s', (text) => expect(isIdentifier(text)).toBe(false));

test.each([
  'pm_1Nv0FGQ9RKHgCVdK',
  'fb.1.1700000000000.123456789',
  '1234567890.1700000000',
  '1700000000000-0.4815',
  '{"correlation_id":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}',
])('%s is a thing’s', (text) => expect(isIdentifier(text)).toBe(true));
