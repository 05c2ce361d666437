import { expect, test } from 'vitest';
import { qrCode } from '../../../worker/accounts/qr-code.ts';

test('a code is SVG of 256 pixels, and hides what it says from readers of its markup', async () => {
  const svg = await qrCode('https://funnel.test/d#AAAAAAAAAAAAAAAAAAAAAA');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="256" height="256"/);
  expect(svg).not.toContain('funnel.test');
});
