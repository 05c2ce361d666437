import { expect, test } from 'vitest';
import { request } from '../request.ts';

const key = { GOOGLE_MAPS_KEY: 'maps_key', FAKES_URL: '' };

test('google map: without a key there is no page', async () =>
  expect((await request('/google-map', {}, { GOOGLE_MAPS_KEY: '' })).status).toBe(404));

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['', 'en'],
  ['"><script>', 'en'],
])(
  'google map: the page loads Google’s script with its places library, in language “%s”',
  async (lng, language) => {
    const response = await request(`/google-map?lng=${encodeURIComponent(lng)}`, {}, key);
    const html = await response.text();
    const script = `https://maps.googleapis.com/maps/api/js?key=maps_key&amp;libraries=places&amp;loading=async&amp;callback=googleMapReady&amp;language=${language}`;
    expect(html).toContain(`data-src="${script}"`);
    expect(html).not.toContain('<script>');
    expect(response.headers.get('set-cookie')).toBeNull();
  },
);

test('google map: the page is sandboxed and can be framed by our pages only', async () => {
  const { headers } = await request('/google-map', {}, key);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain('sandbox allow-scripts allow-popups');
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain("script-src 'self' https://maps.googleapis.com 'unsafe-eval' blob:");
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
});
