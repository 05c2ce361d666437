import { expect, test, vi } from 'vitest';
import { request } from '../request.ts';

const code = 'k3v9q2m7x0c4b8n1z5a6s3';

test.each(['GET', 'HEAD'])(
  'links: %s of a changed link is redirected before it is logged',
  async (method) => {
    const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
    const logged = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
    for (const page of ['m', 'd', 'i', 'manage', 'cancel', 'manage/card', 'manage/receipt']) {
      const { headers, status } = await request(`/${page}%23${code}`, { method });
      expect([status, headers.get('location')]).toEqual([302, `/${page}#${code}`]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('strict-transport-security')).toBeTruthy();
      expect(headers.getSetCookie()).toEqual([]);
      expect((await request(`/${page}`, { method })).status).toBe(200);
    }
    expect(logged.flatMap(({ mock }) => mock.calls).join()).not.toContain(code);
  },
);

test('pages: every page is found with a slash after its path', async () => {
  for (const page of ['one_pager', 'success', 'terms', 'guide', 'm', 'manage/receipt', 'healthz']) {
    const { status, headers } = await request(`/${page}/?gclid=G1`);
    expect([status, headers.get('location')]).toEqual([302, `/${page}?gclid=G1`]);
  }
});

test('links: a form that is posted to a path with a slash is not redirected', async () => {
  const { status, headers } = await request('/m/', { method: 'POST' });
  expect([status, headers.get('location')]).toEqual([404, null]);
});
