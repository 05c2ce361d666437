import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyStatusReport,
  deliveryView,
  nextLookUpAt,
  type SmsDelivery,
  type StatusReport,
} from '../../../../worker/invitations/rules/sms-delivery.ts';
import type { InvitationId } from '../../../../worker/platform/types.ts';

const hour = 60 * 60_000;
const handed: SmsDelivery = {
  smsId: 't',
  invitation: 'i' as InvitationId,
  kind: 'invitation',
  sid: 'SM1',
  status: 'queued',
  code: null,
  submittedAt: 0,
  lookedUp: false,
};
const statusReport = (
  status: StatusReport['status'],
  code: number | null = null,
): StatusReport => ({
  sid: 'SM1',
  status,
  code,
});
const after = (...reports: StatusReport[]) => reports.reduce(applyStatusReport, handed);

test.each([
  [[statusReport('sent'), statusReport('delivered')], 'delivered'],
  [[statusReport('delivered'), statusReport('read')], 'delivered'],
  [[statusReport('read')], 'delivered'],
  [[statusReport('sent'), statusReport('undelivered', 30005)], 'undeliverable'],
  [[statusReport('failed', 21614)], 'undeliverable'],
  [[], null],
  [[statusReport('sent')], null],
] as const)('SMS delivery: %j is shown as %s within the first hour', (reports, shown) => {
  expect(deliveryView(after(...reports), 0, hour - 1)).toBe(shown);
});

/** https://www.twilio.com/docs/api/errors/21211, and so on for each code. */
test.each([
  ['is not valid', 21211],
  ['cannot be reached from our number', 21612],
  ['is not a mobile number', 21614],
  ['is a landline', 21635],
  ['is unknown', 30005],
  ['is a landline or behind an unreachable carrier', 30006],
])('SMS delivery: a number that %s cannot receive the SMS', (_, code) => {
  expect(deliveryView(after(statusReport('failed', code)), 0, 1)).toBe('undeliverable');
});

test('SMS delivery: an error of our own number is not shown as one of the recipient', () => {
  // https://www.twilio.com/docs/api/errors/21601 and 21606
  for (const code of [21601, 21606])
    expect(deliveryView(after(statusReport('failed', code)), 0, hour)).toBe('unknown');
});

test('SMS delivery: opt-out, block, phone off, filter and no report look the same at every moment', () => {
  const silent = [
    undefined,
    after(),
    after(statusReport('sent')),
    ...[21610, 30003, 30004, 30007, 30008].flatMap((code) => [
      after(statusReport('sent'), statusReport('undelivered', code)),
      after(statusReport('failed', code)),
    ]),
  ];
  for (const now of [0, 1, hour - 1, hour, 100 * hour]) {
    const shown = new Set(silent.map((one) => deliveryView(one, 0, now)));
    expect([...shown]).toEqual([now < hour ? null : 'unknown']);
  }
});

test('SMS delivery: reports in any order, and repeated, give the same state', () => {
  const reports = [
    statusReport('queued'),
    statusReport('sending'),
    statusReport('sent'),
    statusReport('delivered'),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray([...reports, ...reports], { minLength: 8 }), (order) => {
      expect(after(...order)).toMatchObject({ status: 'delivered', code: null });
    }),
  );
});

test('SMS delivery: delivered is final, and a link has no delivery', () => {
  expect(after(statusReport('delivered'), statusReport('undelivered', 30008))).toMatchObject({
    status: 'delivered',
  });
  const steps = (['queued', 'sending', 'sent'] as const).map((status) => statusReport(status));
  expect(steps.map((_, at) => after(...steps.slice(0, at + 1)).status)).toEqual([
    ...['queued', 'sending', 'sent'],
  ]);
  expect(after(statusReport('failed', 21614), statusReport('undelivered', 30008)).code).toBe(21614);
  expect(after(statusReport('read'), statusReport('delivered')).status).toBe('read');
  expect(deliveryView(undefined, null, 9 * hour)).toBeNull();
});

test('SMS delivery: an SMS without a final status is looked up once, after an hour', () => {
  expect(nextLookUpAt(after(statusReport('sent')))).toBe(hour);
  expect(nextLookUpAt({ ...handed, lookedUp: true })).toBeNull();
  expect(nextLookUpAt({ ...handed, sid: null })).toBeNull();
  expect(nextLookUpAt(after(statusReport('failed', 30008)))).toBeNull();
});
