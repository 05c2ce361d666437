import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, expect, test, vi } from 'vitest';
import { GoogleVerifier } from '../../../worker/accounts/google-id-token.ts';
import { claims, clientId, googleKey, publish } from './google-keys.ts';

const { jwk, sign } = await googleKey();
const log = vi.fn();
const keys = () => Response.json({ keys: [jwk] });
const verify = (credential: string, verifier = new GoogleVerifier()) =>
  verifier.verify(credential, clientId, log);
const codeOf = (credential: string, verifier?: GoogleVerifier) =>
  verify(credential, verifier).catch(({ code }) => code);

beforeEach(() => log.mockReset());
test.each(['https://accounts.google.com', 'accounts.google.com'])(
  'Google id token: issuer %s is accepted, and the token gives name and e-mail',
  async (iss) => {
    publish(keys);
    const { sub, email, name } = claims;
    const person = { sub, email, name, authoritative: false };
    expect(await verify(await sign({ ...claims, iss }))).toEqual(person);
    expect(log).not.toHaveBeenCalled();
  },
);

test('Google id token: a missing name is empty', async () => {
  publish(keys);
  expect(await verify(await sign({ ...claims, name: undefined }))).toMatchObject({ name: '' });
});

test.each([
  [{ email: 'ada@gmail.com' }, true],
  [{ email: 'ada@example.com', hd: 'example.com' }, true],
  [{ email: 'ada@gmail.com.example.com' }, false],
  [{ email: 'ada@notgmail.com' }, false],
  [{ email: 'ada@example.com', hd: '' }, false],
  [{ email: 'ada@example.com', hd: 'example.org' }, false],
  [{ email: 'ada@Example.com', hd: 'example.com' }, true],
])(
  'Google id token: for %j Google is the e-mail provider: %s',
  async (claimsGiven, authoritative) => {
    publish(keys);
    expect(await verify(await sign({ ...claims, ...claimsGiven }))).toMatchObject({
      authoritative,
    });
  },
);

const { sub: _, ...nobody } = claims;
const other = await googleKey();

test.each<[what: string, credential: string | Promise<string>, reason: string]>([
  ['for another client', sign({ ...claims, aud: 'other.apps.googleusercontent.com' }), 'aud'],
  ['for nobody', sign({ ...claims, aud: undefined }), 'aud'],
  ['of another issuer', sign({ ...claims, iss: 'https://accounts.google.com.example' }), 'iss'],
  ['that is over', sign(claims, { issued: -3700, expires: -60 }), 'exp'],
  ['of no subject', sign(nobody), 'sub'],
  ['signed by another key of that name', other.sign(), 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
  ['signed by an unknown key', (await googleKey('two')).sign(), 'ERR_JWKS_NO_MATCHING_KEY'],
  ['that nobody signed', new UnsecuredJWT(claims).encode(), 'ERR_JOSE_ALG_NOT_ALLOWED'],
  ['that is none', 'not.a.token', 'ERR_JWS_INVALID'],
  [
    'signed by a shared secret, be it the public key',
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(jwk))),
    'ERR_JOSE_ALG_NOT_ALLOWED',
  ],
])('Google id token: a credential %s is refused', async (_what, credential, reason) => {
  publish(keys);
  expect(await codeOf(await credential)).toBe('google_refused');
  const line = ['warn', 'sign_in_refused', { vendor: 'google', reason }];
  expect(log.mock.calls).toEqual([line]);
});

test('Google id token: 10 s of clock difference are accepted', async () => {
  publish(keys);
  expect(await verify(await sign(claims, { issued: -3600, expires: -3 }))).toBeTruthy();
});

test.each([false, undefined, 'true', 1])(
  'Google id token: email_verified %j is refused',
  async (verified) => {
    publish(keys);
    const credential = await sign({ ...claims, email_verified: verified });
    expect(await codeOf(credential)).toBe('google_email_unverified');
  },
);

test('Google id token: a missing e-mail is refused', async () => {
  publish(keys);
  const credential = await sign({ ...claims, email: undefined });
  expect(await codeOf(credential)).toBe('google_email_unverified');
});

test.each<[string, () => Response | Promise<Response>]>([
  ['fail', () => Promise.reject(new TypeError('connection lost'))],
  ['answer an error', () => new Response('down', { status: 503 })],
  ['are no keys', () => new Response('<html>', { status: 200 })],
  ['are of another shape', () => Response.json({ certificates: [] })],
])('Google id token: when the keys %s, it is google_unavailable', async (_what, answer) => {
  publish(answer);
  const verifier = new GoogleVerifier();
  expect(await codeOf(await sign(), verifier)).toBe('google_unavailable');
  expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'sign_in_refused']);
  vi.restoreAllMocks();
  publish(keys);
  expect(await verify(await sign(), verifier)).toMatchObject({ email: 'ada@example.com' });
});

test('Google id token: fetching the keys times out after 3 s', async () => {
  const credential = await sign();
  publish(() => new Promise(() => {}));
  const late = vi
    .spyOn(AbortSignal, 'timeout')
    .mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
  expect(await codeOf(credential)).toBe('google_unavailable');
  expect(late).toHaveBeenCalledWith(3000);
});

test('Google id token: the keys are cached, and not refetched at once for an unknown key', async () => {
  const fetched = publish(keys);
  const verifier = new GoogleVerifier();
  for (const credential of [await sign(), await sign(), await sign()])
    await verify(credential, verifier);
  const { sign: unknown } = await googleKey('two');
  expect(await codeOf(await unknown(), verifier)).toBe('google_refused');
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('Google id token: a new key is found after 30 s', async () => {
  const two = await googleKey('two');
  const held = [jwk];
  const fetched = publish(() => Response.json({ keys: held }));
  const verifier = new GoogleVerifier();
  await verify(await sign(), verifier);
  held.push(two.jwk);
  vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] });
  expect(await verify(await two.sign(), verifier)).toMatchObject({ email: 'ada@example.com' });
  expect(fetched).toHaveBeenCalledTimes(2);
});
