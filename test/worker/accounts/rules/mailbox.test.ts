import { expect, test } from 'vitest';
import { canonicalMailbox, googleMaySignIn } from '../../../../worker/accounts/rules/mailbox.ts';
import type { VisitorId } from '../../../../worker/types.ts';

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+sale@example.com', 'ann@example.com'],
  ['a.n.n+1@Gmail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com', 'ann@gmail.com'],
  ['a.nn@example.com', 'a.nn@example.com'],
])('mailbox: %s is %s', (email, mailbox) => {
  expect(canonicalMailbox(email)).toBe(mailbox);
});

const account = { googleSub: null, verifiedAt: null, userUuid: 'own' as VisitorId };
const verified = { ...account, verifiedAt: 1 };
const linked = { ...verified, googleSub: 'g' };

test.each([
  ['a stranger’s unverified account', account, false, 'other', 'nothing'],
  ['a verified account', verified, false, 'other', 'nothing'],
  ['another Google user’s account', { ...linked, googleSub: 'x' }, false, 'other', 'nothing'],
  ['an account of a mailbox that Google runs', account, true, 'other', 'verify'],
  ['a verified account of one', verified, true, 'other', 'sign_in'],
  ['the account that this user created', linked, false, 'other', 'sign_in'],
  ['an account of this browser', account, false, 'own', 'verify'],
  ['a verified account of this browser', verified, false, 'own', 'sign_in'],
] as const)(
  'Google sign-in: what the verified token allows for %s',
  (_what, known, authoritative, browser, may) => {
    expect(googleMaySignIn(known, { sub: 'g', authoritative }, browser)).toBe(may);
  },
);
