import { expect, test } from 'vitest';
import words from '../../locales/en/errors.json';
import { Refusal, statuses } from '../../worker/errors.ts';

test('every code has its words, and there are no words without a code', () => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(statuses).sort());
});

test('every refusal is an error of HTTP, and only an unexpected one or a vendor’s is ours', () => {
  for (const status of Object.values(statuses)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
  const ours = Object.entries(statuses).filter(([, status]) => status >= 500);
  expect(ours.map(([code]) => code).sort()).toEqual([
    'gateway_ambiguous',
    'google_unavailable',
    'google_not_configured',
    'invitation_failed',
    'invitations_off',
    'email_failed',
    'phone_lookup_failed',
    'queue_unavailable',
    'signup_failed',
    'unavailable',
    'unexpected',
    'product_api_failed',
    'webhook_not_queued',
  ]);
});

test('the words are those that the specification gives', () => {
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

test('a refusal is an error that carries its code and no more', () => {
  const refusal = new Refusal('purchase_in_progress');
  expect(refusal).toBeInstanceOf(Error);
  expect([refusal.code, refusal.message]).toEqual(['purchase_in_progress', 'purchase_in_progress']);
});
