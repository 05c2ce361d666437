import { afterEach, expect, it, vi } from 'vitest';
import { watchPrivateCode } from '../../../islands/invitations/private-code.ts';

afterEach(() => void vi.unstubAllGlobals());

it('private code: reports the code of the entry, then each later code in the URL and removes it', () => {
  const page = new EventTarget();
  const location = { pathname: '/i', hash: '' };
  const history = {
    state: { depth: 0, code: 'one' } as object,
    replaceState: vi.fn((state: object, _: string, address: string) => {
      history.state = state;
      location.hash = address.includes('#') ? address : '';
    }),
  };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', history);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const codes: string[] = [];
  const end = watchPrivateCode((code) => codes.push(code));
  const move = (hash: string) => {
    location.hash = hash;
    page.dispatchEvent(new Event('hashchange'));
  };
  move('#two');
  expect(history.replaceState.mock.calls).toEqual([[{ depth: 0, code: 'two' }, '', '/i']]);
  end();
  move('#three');
  expect(codes).toEqual(['one', 'two']);
});

it('private code: reports an empty code when there is none', () => {
  vi.stubGlobal('location', { pathname: '/i', hash: '' });
  vi.stubGlobal('history', { state: null, replaceState: vi.fn() });
  vi.stubGlobal('addEventListener', vi.fn());
  const take = vi.fn();
  watchPrivateCode(take);
  expect(take.mock.calls).toEqual([['']]);
});
