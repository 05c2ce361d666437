import { expect, it } from 'vitest';
import { storeEmail } from '../../islands/account/email-step.ts';
import { looksLikePhone } from '../../islands/phone/dialled-digits.ts';
import { $signup } from '../../islands/stores/signup.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import { emails, phones, rightCodes, wrongCodes } from '../inputs.ts';
import { readings } from './phone/google-number.ts';

/** The server's entrances answer the same inputs in test/worker/hostile/inputs.test.ts. */
it.each(phones)(
  'inputs: a phone number, %s: %j means %j',
  async (_kind, text, meaning, country) => {
    const [first = null] = await readings(text, country.toUpperCase());
    if (text.length <= 60) expect(first).toBe(meaning && `+${digitsOf(meaning)}`);
    // The form holds back nothing that the server would understand.
    if (meaning) expect(looksLikePhone(text)).toBe(true);
  },
);

it.each(emails)('inputs: an e-mail, %s: %j means %j', (_kind, text, meaning) => {
  const email = storeEmail(text);
  expect($signup.get().emailValidity).toBe(meaning !== null);
  if (meaning) expect(email).toBe(meaning);
});

it('inputs: a code of six digits is read however it is written', () => {
  for (const [kind, write] of rightCodes)
    expect([kind, digitsOf(write('123456'))]).toEqual([kind, '123456']);
  for (const [kind, text] of wrongCodes)
    expect([kind, digitsOf(text).length === 6]).toEqual([kind, false]);
});
