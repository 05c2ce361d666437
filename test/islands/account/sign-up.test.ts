import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signUp, signupMessage } from '../../../islands/account/sign-up.ts';
import { $loader } from '../../../islands/stores/loader.ts';
import { $signup } from '../../../islands/stores/signup.ts';
import { fakeBrowser } from '../browser.ts';

const texts = { failed: 'Failed to create an account', taken: 'The email has already been taken' };
const uuid = '2f1f4a52-9f6c-4f0a-8a51-0c1b7f1f2a33';
const answer = {
  data: {
    access_token: 'token',
    deeplink_token: 'deep',
    entity: { external_user_id: 'user_1', uuid: 'given' },
  },
};

const defaults = $signup.get();
beforeEach(() => {
  $signup.set(defaults);
  fakeBrowser({ main: { landingType: 'split_fullPrice' }, cookie: `a=1; userUuid=${uuid}` });
});
afterEach(() => vi.unstubAllGlobals());

function network(respond: (path: string) => Response) {
  const fetch = vi.fn(async (path: string, _init: RequestInit) => respond(path));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

it('sign-up: stores the token and loads payment settings and deeplink', async () => {
  const fetch = network((path) =>
    path.endsWith('/signup') ? Response.json(answer) : Response.json({}, { status: 404 }),
  );
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(await signUp('ada@example.com', texts)).toBeNull();
  expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body))).toEqual({
    registration_source: 'email',
    email: 'ada@example.com',
    user_uuid: uuid,
    landing_type: 'split_fullPrice',
    name: 'ada@example.com',
  });
  expect($signup.get()).toMatchObject({
    email: 'ada@example.com',
    isSuccess: true,
    token: 'token',
    deeplinkToken: 'deep',
    userId: 'user_1',
    uuid: 'given',
  });
  expect($loader.get()).toBe(false);
  expect(fetch.mock.calls.slice(1).map(([path]) => path)).toEqual([
    '/api/v1/users/me/payments-settings',
    '/api/v1/users/me/deeplink-qr-code',
  ]);
});

it('sign-up: a refusal shows its message and sends nothing else', async () => {
  const fetch = network(() => Response.json({ errors: { messages: ['No'] } }, { status: 422 }));
  expect(await signUp('ada@example.com', texts)).toBe('No');
  expect($signup.get()).toMatchObject({ isSuccess: false, token: '' });
  expect($loader.get()).toBe(false);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it.each([
  [{ errors: { messages: ['The email has already been taken.'] } }, texts.taken],
  [{ errors: { messages: ['UserEmailTaken'] } }, texts.taken],
  [{ errors: { messages: ['user.email.taken'] } }, texts.taken],
  [{ errors: { messages: ['Too many'] } }, 'Too many'],
  [{ errors: { messages: [] } }, texts.failed],
  [new TypeError('offline'), texts.failed],
])('sign-up: message for %j', (error, message) => {
  expect(signupMessage(error, texts)).toBe(message);
});
