import { afterEach, expect, it, vi } from 'vitest';
import { requestSignInLink } from '../../../islands/account/mail-link.ts';

afterEach(() => void vi.unstubAllGlobals());

it('asks for a link by e-mail or by an older one', async () => {
  const asked: [path: string, body: unknown][] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    asked.push([path, JSON.parse(String(body))]);
    return Response.json({ data: {} }, { status: 202 });
  });
  await requestSignInLink({ email: 'ada@example.com' });
  await requestSignInLink({ code: 'c0de' });
  expect(asked).toEqual([
    ['/api/v1/mail-link', { email: 'ada@example.com' }],
    ['/api/v1/mail-link', { code: 'c0de' }],
  ]);
});
