import { expect, test } from 'vitest';
import { canonicalMailbox, entranceByGoogle } from '../../../../worker/accounts/rules/mailbox.ts';

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+sale@example.com', 'ann@example.com'],
  ['a.n.n+1@Gmail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com', 'ann@gmail.com'],
  ['a.nn@example.com', 'a.nn@example.com'],
])('mailbox: %s is %s', (email, mailbox) => expect(canonicalMailbox(email)).toBe(mailbox));

test.each([
  ['nobody', null, false, null],
  ['this Google user', 'g', false, 'linked_user'],
  ['another Google user', 'x', false, null],
  ['nobody', null, true, 'mailbox'],
  ['this Google user', 'g', true, 'mailbox'],
  ['another Google user', 'x', true, 'mailbox'],
] as const)(
  'Google sign-in: into an account linked to %s (%j), where Google hosts the mailbox: %j',
  (_who, linked, authoritative, entrance) =>
    expect(entranceByGoogle(linked, { sub: 'g', authoritative })).toBe(entrance),
);
