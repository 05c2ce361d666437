import { expect, test } from 'vitest';
import words from '../../../locales/en/errors.json';
import page from '../../../worker/error-codes.md?raw';
import { Refusal, statuses } from '../../../worker/platform/errors.ts';

test('error codes: every code has a message, and every message a code', () =>
  expect(Object.keys(words).sort()).toEqual(Object.keys(statuses).sort()));

test('error codes: a refusal has status 4xx, except for failures of ours or of a vendor', () => {
  for (const status of Object.values(statuses)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
  const failures = Object.entries(statuses).filter(([, status]) => status >= 500);
  expect(new Set(failures.map(([code]) => code))).toEqual(
    new Set([
      'email_failed',
      'gateway_ambiguous',
      'google_not_configured',
      'google_unavailable',
      'invitation_failed',
      'invitations_disabled',
      'phone_lookup_failed',
      'product_api_failed',
      'queue_unavailable',
      'signup_failed',
      'unavailable',
      'unexpected',
      'webhook_not_queued',
    ]),
  );
});

test('error codes: the page for API clients documents every code with its status, in order', () => {
  const documented = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| \S/gm)];
  expect(documented.map(([, code, status]) => [code, Number(status)])).toEqual(
    Object.entries(statuses),
  );
});

test('error codes: the messages are those of the specification', () => {
  expect(words).toMatchObject({
    unexpected: 'Unexpected Application Error!',
    phone_incorrect: 'Phone number is incorrect',
    phone_lookup_failed: 'An error occurred, please try again',
    email_taken: 'The email has already been taken',
    google_unavailable: 'Google Sign-In is not available. Please try again later.',
    google_not_configured: 'Google Sign-In is not properly configured. Please try again later.',
    google_refused:
      'Failed to create an account using Google, please try again or use the default email method.',
    signup_failed: 'Failed to create an account',
    card_declined: 'Payment declined',
    payment_failed: 'Payment error',
  });
});

test('Refusal: an error with a code and nothing else', () => {
  const refusal = new Refusal('purchase_in_progress');
  expect(refusal).toBeInstanceOf(Error);
  expect([refusal.code, refusal.message]).toEqual(['purchase_in_progress', 'purchase_in_progress']);
});
