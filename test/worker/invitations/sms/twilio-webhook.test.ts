import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIncomingSms } from '../../../../worker/invitations/sms/twilio-webhook.ts';
import { signed } from '../../../fakes/sms/server.ts';

const url = 'https://funnel.test/webhooks/twilio';
const fields = {
  AccountSid: 'AC_fake',
  MessageSid: 'SM1',
  From: '+4915123456789',
  Body: 'Stop ü +&=',
};
const read = (form: Record<string, string>, signature: string, at = url, more = env) =>
  readIncomingSms(more, { url: at, body: `${new URLSearchParams(form)}`, signature });

test('Twilio webhook: a signed message is read', async () => {
  expect(await read(fields, signed(url, fields, 'twilio_fake'))).toEqual({
    from: fields.From,
    body: fields.Body,
    id: 'SM1',
    handled: null,
  });
  const handled = { ...fields, OptOutType: 'STOP' };
  expect((await read(handled, signed(url, handled, 'twilio_fake')))?.handled).toBe('stop');
});

/** The example in Twilio's documentation. */
test('Twilio webhook: the fake signs as documented', async () => {
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const documented = signed('https://mycompany.com/myapp.php?foo=1&bar=2', form, '12345');
  expect(documented).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
});

test.each([
  ['another token', fields, signed(url, fields, 'other'), url],
  ['another address', fields, signed(url, fields, 'twilio_fake'), `${url}?x`],
  ['another number', { ...fields, From: '+49' }, signed(url, fields, 'twilio_fake'), url],
  ['one field more', { ...fields, A: '' }, signed(url, fields, 'twilio_fake'), url],
  ['no signature', fields, '', url],
  ['no base64', fields, '%%%', url],
])('Twilio webhook: a message with %s is refused', async (_what, form, signature, at) => {
  expect(await read(form, signature, at)).toBeNull();
});

test('Twilio webhook: a signed message of another account is refused', async () => {
  const foreign = { ...fields, AccountSid: 'AC_other' };
  expect(await read(foreign, signed(url, foreign, 'twilio_fake'))).toBeNull();
  const bare = { AccountSid: 'AC_fake' };
  expect(await read(bare, signed(url, bare, 'twilio_fake'))).toBeNull();
  const unset = { ...env, TWILIO_AUTH_TOKEN: '' };
  expect(await read(fields, signed(url, fields, ''), url, unset)).toBeNull();
});

test('Twilio webhook: no forged signature is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.base64String({ maxLength: 40 }), async (signature) => {
      expect(await read(fields, signature)).toBeNull();
    }),
    { numRuns: 50 },
  );
});
