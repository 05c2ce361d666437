import { beforeEach, expect, it, vi } from 'vitest';
import { continueWith, explain, signUpWith } from '../../../islands/account/google-sign-in.ts';
import { signUp, signUpAndGoOn, signupMessage } from '../../../islands/account/signup.ts';
import { setPhone } from '../../../islands/phone/entered-phone.ts';
import { $error, setError } from '../../../islands/stores/error.ts';
import { $loader } from '../../../islands/stores/pending.ts';
import { $refusedEmail, $signup } from '../../../islands/stores/signup.ts';
import { forgetPaymentSettings } from '../../../islands/vendors/payment-settings.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { fakeBrowser } from '../browser.ts';
import { text as words } from '../render-html.tsx';

const navigate = vi.hoisted(() => vi.fn(async (_path?: string) => {}));
vi.mock('../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));
// A report waits half a second, longer than its test.
vi.mock('../../../islands/runtime/navigation/stayed.ts', () => ({ stayed: async () => {} }));

const text = words['google-button'];
const uuid = '2f1f4a52-9f6c-4f0a-8a51-0c1b7f1f2a33';
const shownError = () => $error.get().message;
const openNext = vi.fn(async () => {});
const account = {
  data: {
    access_token: 'token',
    deeplink_token: 'deep',
    entity: { external_user_id: 'user_1', uuid: 'given' },
  },
};
const signedIn = { isSuccess: true, token: 'token', deeplinkToken: 'deep', userId: 'user_1' };

/** A credential with the parts that the browser reads. */
const credentialOf = (claims: object) =>
  `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const credential = credentialOf({ email: 'zoe@example.com', name: 'Zoë Müller' });

const defaults = $signup.get();
beforeEach(() => {
  forgetPaymentSettings();
  $signup.set(defaults);
  setError(false);
  openNext.mockReset();
  navigate.mockClear();
  fakeBrowser({
    local: new Map(),
    main: { landingType: 'split_fullPrice', search: '/searching' },
    cookie: `a=1; userUuid=${uuid}`,
  });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
/** A server that creates an account, or returns `respond`, and fails any other call. */
function network(respond: () => Response | Promise<never> = () => Response.json(account)) {
  const fetch = vi.fn(async (path: string, _init: RequestInit) =>
    /signup$|token$/.test(path) ? respond() : Response.json({}, { status: 404 }),
  );
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const refusing = (body: object) => network(() => Response.json(body, { status: 422 }));

it.each([
  [
    'an e-mail',
    () => signUp('ada@example.com', text),
    'signup',
    { registration_source: 'email', email: 'ada@example.com', name: 'ada@example.com' },
    { email: 'ada@example.com', name: 'ada@example.com' },
  ],
  [
    'a credential of Google',
    () => continueWith(credential, text, openNext),
    'authorize_social_via_access_token',
    { access_token: credential, driver: 'google' },
    { email: 'zoe@example.com', name: 'Zoë Müller' },
  ],
])('sign-up: %s creates an account and loads payment settings and deeplink', async (...row) => {
  const [, act, path, body, person] = row;
  const fetch = network();
  await act();
  expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body))).toEqual({
    ...body,
    user_uuid: uuid,
    landing_type: 'split_fullPrice',
  });
  await vi.waitFor(
    () =>
      expect(fetch.mock.calls.map(([address]) => address)).toEqual([
        `/api/v1/${path}`,
        '/api/v1/users/me/payments-settings',
        '/api/v1/users/me/deeplink-qr-code',
      ]),
    pollTimeout,
  );
  expect($signup.get()).toMatchObject({ ...signedIn, ...person, uuid: 'given' });
  expect([shownError(), $loader.get()]).toEqual(['', false]);
});

const noSms = { message: 'No texts' };
it.each([
  ['an e-mail', () => signUpAndGoOn('ada@example.com', text)],
  ['a credential of Google', () => signUpWith(credential, text)],
])('sign-up: %s waits until a number without SMS is answered for', async (_by, act) => {
  const data = { number: '+49 30 12345678', sms_refusal: noSms };
  const answers = new Map([['/api/v1/phone-number-info', { data }]]);
  const fetch = vi.fn(async (path: string) => Response.json(answers.get(path) ?? account));
  vi.stubGlobal('fetch', fetch);
  setPhone(data.number, 'DE');
  await act();
  expect(navigate.mock.calls).toEqual([['/searching']]);
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/v1/phone-number-info']);
  expect($signup.get().isSuccess).toBe(false);
});

it.each([
  ['an e-mail', () => signUpAndGoOn('ada@example.com', text)],
  ['a credential of Google', () => signUpWith(credential, text).then(shownError)],
])('sign-up: %s is not taken while the number cannot be looked up', async (_by, act) => {
  const fetch = vi.fn(async (_path: string) => Response.json({}, { status: 503 }));
  vi.stubGlobal('fetch', fetch);
  setPhone('+49 30 12345678', 'DE');
  expect(await act()).toBe(text.failed);
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/v1/phone-number-info']);
});

it('sign-up: a refusal shows its message and sends nothing else', async () => {
  const fetch = refusing({ errors: { messages: ['No'] } });
  expect(await signUp('ada@example.com', text)).toBe('No');
  expect($signup.get()).toMatchObject({ isSuccess: false, token: '' });
  expect([$loader.get(), fetch.mock.calls.length]).toEqual([false, 1]);
});

it.each([
  [{ errors: { messages: ['The email has already been taken.'] } }, text.taken],
  [{ errors: { messages: ['UserEmailTaken'] } }, text.taken],
  [{ errors: { messages: ['user.email.taken'] } }, text.taken],
  [{ errors: { messages: ['Too many'] } }, 'Too many'],
  [{ errors: { messages: [] } }, text.failed],
  [new TypeError('offline'), text.failed],
])('sign-up: message for %j', (error, message) => {
  expect(signupMessage(error, text)).toBe(message);
});

it.each([
  ['waiting', 'Google Sign-In is not ready yet. Please wait a moment and try again.'],
  ['ready', 'Google Sign-In is not ready yet. Please wait a moment and try again.'],
  ['unconfigured', 'Google Sign-In is not properly configured. Please try again later.'],
  ['unavailable', 'Google Sign-In is not available. Please try again later.'],
  ['uninitialized', 'Failed to initialize Google Sign-In. Please try again later.'],
  ['preloaded', 'An error occurred while trying to sign in with Google. Please try again.'],
] as const)('google sign-in: a tap in the state %s shows why nothing opens', (state, sentence) => {
  explain(state, text);
  expect(shownError()).toBe(sentence);
});

it('google sign-in: a tap without a Google button opens the prompt', () => {
  const prompt = vi.fn();
  Object.assign(window, { google: { accounts: { id: { prompt } } } });
  explain('preloaded', text);
  expect([prompt.mock.calls.length, shownError()]).toEqual([1, '']);
});

it('google sign-in: opens the next screen; a missing name is replaced by the e-mail', async () => {
  network();
  await continueWith(credentialOf({ email: 'kim@example.com' }), text, openNext);
  expect($signup.get()).toMatchObject({ email: 'kim@example.com', name: 'kim@example.com' });
  expect(openNext).toHaveBeenCalledTimes(1);
});

const missing =
  'Failed to create an account using Google, please try again or use the default email method.';
const unexpected = 'An unexpected error occurred during Google authentication. Please try again.';

it.each([
  [undefined, missing],
  ['', missing],
  ['no token', unexpected],
  ['head.%%%.tail', unexpected],
  [`head.${btoa('[')}.tail`, unexpected],
])('google sign-in: with the credential %j no request is sent', async (broken, sentence) => {
  const fetch = network();
  await continueWith(broken, text, openNext);
  expect([shownError(), fetch.mock.calls.length]).toEqual([sentence, 0]);
});

it.each([
  ['Google hasn’t verified this email.', 'Google hasn’t verified this email.', ''],
  ['', 'Failed to create an account', ''],
  ['The email has already been taken.', '', 'zoe@example.com'],
])(
  'google sign-in: the refusal %j stays on the screen',
  async (message, sentence, refusedEmail) => {
    refusing({ errors: { messages: message ? [message] : [] } });
    await continueWith(credential, text, openNext);
    expect([shownError(), $refusedEmail.get()?.email ?? '']).toEqual([sentence, refusedEmail]);
    expect([openNext.mock.calls.length, $signup.get().token]).toEqual([0, '']);
    $refusedEmail.set(null);
  },
);

it('google sign-in: a network failure is a failed sign-up, a failed navigation unexpected', async () => {
  network(() => Promise.reject(new TypeError('offline')));
  await continueWith(credential, text, openNext);
  expect(shownError()).toBe('Failed to create an account');
  network();
  openNext.mockRejectedValue(new Error('no page'));
  await continueWith(credential, text, openNext);
  expect(shownError()).toBe(unexpected);
});
