import { expect, test } from 'vitest';
import { hmacOf } from '../../../worker/http/hmac.ts';

test('it is the HMAC of RFC 4231, in letters that may stand in a name', async () => {
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const bytes = new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
  const letters = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  expect(await hmacOf('Jefe', 'what do ya want for nothing?')).toBe(letters);
});
