import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../dom.ts';

const mocks = vi.hoisted(() => ({
  navigate: vi.fn(),
  reject: (_bearer: string) => {},
}));
vi.mock('../../../islands/runtime/navigation/navigate.ts', () => mocks);
vi.mock('../../../islands/runtime/api.ts', () => ({
  call: async () => {},
  onTokenRenewed: () => {},
  onTokenRejected: (hear: (bearer: string) => void) => {
    mocks.reject = hear;
  },
}));

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});
afterEach(() => void vi.unstubAllGlobals());

/** A signed-in visitor on a page with this content. */
async function open(...content: ReturnType<typeof element>[]) {
  openPage(documentWith(element('main', {}, ...content)), 'https://a.example/manage');
  const { $signup } = await import('../../../islands/stores/signup.ts');
  $signup.set({ ...$signup.get(), token: 'old', paymentSettingsStatus: 'success', name: 'Ann' });
  mocks.reject('old');
  return $signup.get();
}

it('session: a rejected token is forgotten, and a page that needs it is loaded again', async () => {
  const signup = await open(element('div', { 'data-need': 'signup.token' }));
  expect(signup).toMatchObject({ token: '', paymentSettingsStatus: '', name: 'Ann' });
  await vi.waitFor(() => expect(mocks.navigate).toHaveBeenCalledExactlyOnceWith('/manage'));
});

it('session: other pages stay', async () => {
  expect((await open()).token).toBe('');
  await new Promise((done) => setTimeout(done, 5));
  expect(mocks.navigate).not.toHaveBeenCalled();
});
