import { expect, it } from 'vitest';
import { canonicalMailbox } from '../../../../worker/accounts/rules/mailbox.ts';

it.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+sale@example.com', 'ann@example.com'],
  ['a.n.n+1@Gmail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com', 'ann@gmail.com'],
  ['a.nn@example.com', 'a.nn@example.com'],
])('mailbox: %s is %s', (email, mailbox) => {
  expect(canonicalMailbox(email)).toBe(mailbox);
});
