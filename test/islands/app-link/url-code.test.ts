import { expect, it, vi } from 'vitest';
import { codeInUrl, putCodeInUrl, watchUrlCode } from '../../../islands/app-link/url-code.ts';

it.each([
  ['#AAAAAAAAAAAAAAAAAAAA-_', 'AAAAAAAAAAAAAAAAAAAA-_'],
  ['', ''],
  ['#', ''],
  ['#<script>', ''],
  [`#${'a'.repeat(101)}`, ''],
  // What mail scanners, messengers and people make of it.
  ['#AAAAAAAAAAAAAAAAAAAA-_.', 'AAAAAAAAAAAAAAAAAAAA-_'],
  ['#3v9q2m7x0c4b8n1z5a6s3d"> ,)', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#3v9q2m7x0c4b8n1z5a6s3d/', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#3v9q2m7x0c4b8n1z5a6s3d%20', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#3v9q2m7x0c4b8n1z5a6s3d?utm_source=mail', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#3v9q2m7x0c4b8n1z5a6s3d&amp;mc_eid=1', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#%233v9q2m7x0c4b8n1z5a6s3d', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#%25233v9q2m7x0c4b8n1z5a6s3d', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['##3v9q2m7x0c4b8n1z5a6s3d', '3v9q2m7x0c4b8n1z5a6s3d'],
  ['#35;3v9q2m7x0c4b8n1z5a6s3d', '3v9q2m7x0c4b8n1z5a6s3d'],
])('url code: %j holds the code %j', (hash, code) => {
  vi.stubGlobal('location', { hash });
  expect(codeInUrl()).toBe(code);
});

it('url code: replaces or removes the code, keeps query and history entry', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('location', { pathname: '/d', search: '?gclid=1' });
  vi.stubGlobal('history', { state: { depth: 2 }, replaceState });
  putCodeInUrl('new');
  putCodeInUrl('');
  expect(replaceState.mock.calls).toEqual([
    [{ depth: 2 }, '', '/d?gclid=1#new'],
    [{ depth: 2 }, '', '/d?gclid=1'],
  ]);
});

it('url code: reports later codes until unsubscribed', () => {
  const page = new EventTarget();
  const location = { hash: '#one' };
  vi.stubGlobal('location', location);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const codes: string[] = [];
  const end = watchUrlCode((code) => codes.push(code));
  const move = (hash: string) => {
    location.hash = hash;
    page.dispatchEvent(new Event('hashchange'));
  };
  move('#two');
  end();
  move('#three');
  expect(codes).toEqual(['one', 'two']);
});
