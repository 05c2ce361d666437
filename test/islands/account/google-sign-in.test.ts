import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { continueWith, explain } from '../../../islands/account/google-sign-in.ts';
import { $emailTaken } from '../../../islands/stores/email-taken.ts';
import { $error, setError } from '../../../islands/stores/error.ts';
import { $loader } from '../../../islands/stores/loader.ts';
import { $signup } from '../../../islands/stores/signup.ts';
import { fakeBrowser } from '../browser.ts';
import { text as words } from '../html.tsx';

const text = words['google-button'];
const uuid = '2f1f4a52-9f6c-4f0a-8a51-0c1b7f1f2a33';
const said = () => $error.get().message;
const goOn = vi.fn(async () => {});
const answer = {
  data: { access_token: 'token', deeplink_token: 'deep', entity: { external_user_id: 'user_1' } },
};

/** A credential as far as the browser reads it. */
const credentialOf = (claims: object) =>
  `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const credential = credentialOf({ email: 'zoe@example.com', name: 'Zoë Müller' });

const defaults = $signup.get();
beforeEach(() => {
  $signup.set(defaults);
  setError(false);
  goOn.mockReset();
  fakeBrowser({ main: { landingType: 'split_fullPrice' }, cookie: `userUuid=${uuid}` });
});
afterEach(() => vi.unstubAllGlobals());

function network(respond: (path: string) => Response | Promise<never>) {
  const fetch = vi.fn(async (path: string, _init: RequestInit) => respond(path));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const refusing = (body: object, status = 422) => network(() => Response.json(body, { status }));

it.each([
  ['waiting', 'Google Sign-In is not ready yet. Please wait a moment and try again.'],
  ['ready', 'Google Sign-In is not ready yet. Please wait a moment and try again.'],
  ['unconfigured', 'Google Sign-In is not properly configured. Please try again later.'],
  ['unavailable', 'Google Sign-In is not available. Please try again later.'],
  ['uninitialized', 'Failed to initialize Google Sign-In. Please try again later.'],
] as const)('google sign-in: a tap in the state %s shows the reason', (state, sentence) => {
  explain(state, text);
  expect(said()).toBe(sentence);
});

it('google sign-in: a tap without a Google button opens the prompt', () => {
  const prompt = vi.fn();
  Object.assign(window, { google: { accounts: { id: { prompt } } } });
  explain('preloaded', text);
  expect([prompt.mock.calls.length, said()]).toEqual([1, '']);
});

it('google sign-in: a prompt that throws shows an error', () => {
  explain('preloaded', text);
  expect(said()).toBe('An error occurred while trying to sign in with Google. Please try again.');
});

it('google sign-in: a credential creates an account and opens the next screen', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const fetch = network((path) =>
    path.endsWith('token') ? Response.json(answer) : Response.json({}, { status: 404 }),
  );
  await continueWith(credential, text, goOn);
  expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body))).toEqual({
    access_token: credential,
    driver: 'google',
    user_uuid: uuid,
    landing_type: 'split_fullPrice',
  });
  expect(fetch.mock.calls.map(([path]) => path)).toEqual([
    '/api/v1/authorize_social_via_access_token',
    '/api/v1/users/me/payments-settings',
    '/api/v1/users/me/deeplink-qr-code',
  ]);
  expect($signup.get()).toMatchObject({
    email: 'zoe@example.com',
    name: 'Zoë Müller',
    isSuccess: true,
    token: 'token',
    deeplinkToken: 'deep',
    userId: 'user_1',
  });
  expect([goOn.mock.calls.length, said(), $loader.get()]).toEqual([1, '', false]);
});

it('google sign-in: the e-mail is the name when there is none', async () => {
  network(() => Response.json(answer));
  await continueWith(credentialOf({ email: 'kim@example.com' }), text, goOn);
  expect($signup.get()).toMatchObject({ email: 'kim@example.com', name: 'kim@example.com' });
});

const missing =
  'Failed to create an account using Google, please try again or use the default email method.';

it.each([undefined, ''])('google sign-in: no credential (%j) sends no request', async (nothing) => {
  const fetch = refusing({});
  await continueWith(nothing, text, goOn);
  expect([said(), fetch.mock.calls.length]).toEqual([missing, 0]);
});

it.each([
  [
    { errors: { messages: ['Google has not confirmed this e-mail.'] } },
    'Google has not confirmed this e-mail.',
  ],
  [{ errors: { messages: [] } }, 'Failed to create an account'],
  [{}, 'Failed to create an account'],
])('google sign-in: the refusal %j is shown and the screen stays', async (body, sentence) => {
  refusing(body);
  await continueWith(credential, text, goOn);
  expect([said(), goOn.mock.calls.length, $signup.get().token]).toEqual([sentence, 0, '']);
});

it('google sign-in: a taken e-mail is passed to the e-mail field', async () => {
  refusing({ errors: { messages: ['The email has already been taken.'] } });
  await continueWith(credential, text, goOn);
  expect([said(), goOn.mock.calls.length, $emailTaken.get()]).toEqual(['', 0, 'zoe@example.com']);
});

it('google sign-in: a network failure is a failed sign-up', async () => {
  network(() => Promise.reject(new TypeError('offline')));
  await continueWith(credential, text, goOn);
  expect(said()).toBe('Failed to create an account');
});

const unexpected = 'An unexpected error occurred during Google authentication. Please try again.';

it.each(['no token', 'head.%%%.tail', `head.${btoa('[')}.tail`])(
  'google sign-in: a malformed credential (%j) is an unexpected error',
  async (broken) => {
    const fetch = refusing({});
    await continueWith(broken, text, goOn);
    expect([said(), fetch.mock.calls.length]).toEqual([unexpected, 0]);
  },
);

it('google sign-in: a failed navigation is an unexpected error', async () => {
  network(() => Response.json(answer));
  goOn.mockRejectedValue(new Error('no page'));
  await continueWith(credential, text, goOn);
  expect(said()).toBe(unexpected);
});
