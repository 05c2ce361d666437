interface AlarmText {
  title: string;
  check: string;
  /** Also sent in quiet hours: visitors cannot buy, or money is wrong. */
  urgent: boolean;
}

export const alarmKinds = {
  visits_dropped: {
    title: 'Visitors stopped coming',
    check:
      'Open the site. Are the ads paused, out of budget, refused? Then the queue funnel-events.',
    urgent: true,
  },
  pages_failed: {
    title: 'Pages or requests fail',
    check:
      'npx wrangler tail, level error; GET /healthz; roll the last deploy back if it began then.',
    urgent: true,
  },
  walk_failed: {
    title: 'The synthetic visitor cannot reach the payment form',
    check: 'Open the page of the named step. GET /healthz; the last deploy and configuration.',
    urgent: true,
  },
  signups_stopped: {
    title: 'Sign-ups stopped',
    check: 'Sign up by hand. Log lines signup_failed and binding_unavailable; the last deploy.',
    urgent: true,
  },
  purchases_stopped: {
    title: 'Purchases stopped',
    check:
      'The provider’s status page; then npm run config -- gateways; then buy with a real card.',
    urgent: true,
  },
  step_rate_dropped: {
    title: 'Fewer visitors take a step of the funnel',
    check:
      'The step in the named segment, on a phone. What was deployed or published at that time?',
    urgent: false,
  },
  declines_rose: {
    title: 'More payments are declined',
    check:
      'Decline codes in the provider’s dashboard; card testing (log line card_testing_detected).',
    urgent: true,
  },
  three_d_secure_failed: {
    title: 'More 3-D Secure checks fail',
    check:
      'A card of that country with 3-D Secure; the provider’s status page; REQUEST_THREE_D_SECURE.',
    urgent: true,
  },
  provider_failed: {
    title: 'The payment provider does not answer',
    check:
      'The provider’s status page; keys (log line gateway_ambiguous). Attempts retry by themselves.',
    urgent: true,
  },
  provider_slow: {
    title: 'The payment provider is slow',
    check: 'The provider’s status page. Buyers wait; no money is lost.',
    urgent: false,
  },
  webhooks_late: {
    title: 'Webhooks come late or not at all',
    check:
      'The webhook endpoint in the provider’s dashboard: its failures, its secret, its address.',
    urgent: false,
  },
  dead_letters: {
    title: 'A queue has dead letters',
    check: 'npm run ops -- dead-letters; fix the cause, then replay them.',
    urgent: false,
  },
  unsold_money: {
    title: 'Money was captured and nothing was sold',
    check: 'npm run ops -- dead-letters names the payments: refund them at the provider.',
    urgent: true,
  },
  unannounced_charge: {
    title: 'A buyer was charged without having been told',
    check:
      'npm run ops -- dead-letters names the payments: refund them (npm run ops -- refund PAYMENT), then find out what charged them.',
    urgent: true,
  },
  email_refused: {
    title: 'E-mails are refused or fail',
    check: 'Resend’s status and dashboard: sender domain, key, suspension. Then dead letters.',
    urgent: false,
  },
  sms_refused: {
    title: 'SMS are refused or fail',
    check: 'Twilio’s console: balance, sender registration, country permissions.',
    urgent: false,
  },
  configuration_refused: {
    title: 'A published configuration was refused',
    check:
      'npm run config -- check; publish a valid one, or roll back. The previous one is served.',
    urgent: false,
  },
  publication_refused: {
    title: 'A scheduled publication was refused',
    check:
      'The note under Versions in the console says why. Review the change, then schedule it again.',
    urgent: false,
  },
  dispute_due: {
    title: 'Disputes must be answered within three days',
    check:
      'npm run ops -- evidence PAYMENT writes what is known of it; upload it in the provider’s dashboard, or accept the dispute there.',
    urgent: true,
  },
  fraud_warning: {
    title: 'A bank suspects that payments are fraud',
    check:
      'npm run ops -- evidence PAYMENT; if it looks stolen, npm run ops -- refund PAYMENT before it becomes a dispute.',
    urgent: true,
  },
  circuit_opened: {
    title: 'A gateway is paused',
    check:
      'The provider’s status page and keys. New cards go to the other gateway, if one is set up. The pause ends by itself.',
    urgent: true,
  },
  entitlement_endpoint_disabled: {
    title: 'Entitlement webhooks to the app’s server fail',
    check:
      'npm run ops -- webhook says since when. Repair the receiver, then npm run ops -- webhook --resend.',
    urgent: false,
  },
  vitals_worse: {
    title: 'Pages became slower',
    check: 'What was deployed or published at that time; npm run bench -- pages.',
    urgent: false,
  },
  sample_ratio: {
    title: 'Visitors are not split as configured',
    check:
      'Do not read that experiment’s results. Does one variant’s first screen fail or redirect?',
    urgent: false,
  },
  arm_stopped: {
    title: 'A variant of an experiment was stopped',
    check:
      'Its guardrails under Experiments. To go on with it, give it a share again or roll back.',
    urgent: false,
  },
  refunds_rose: {
    title: 'More payments are refunded',
    check:
      'Who refunds: the audit (npm run ops), withdrawals, or somebody in the provider’s dashboard?',
    urgent: false,
  },
  disputes_rose: {
    title: 'More payments are disputed',
    check:
      'The provider’s disputes: reasons, one country or card range? Above 0.75 %, card networks act.',
    urgent: false,
  },
  reconciliation_differs: {
    title: 'The provider’s money differs from the ledger',
    check: 'npm run ops -- differences lists payments and amounts; then the runbook of monitoring.',
    urgent: true,
  },
  reconciliation_late: {
    title: 'The nightly reconciliation did not finish',
    check:
      'Log line reconciliation_failed; the provider’s status page and keys. It retries hourly.',
    urgent: false,
  },
  watch_blind: {
    title: 'Monitoring cannot read the rollups',
    check:
      'The D1 database ANALYTICS, and the queue funnel-events. Counters and visits still work.',
    urgent: false,
  },
} as const satisfies Record<string, AlarmText>;

export type AlarmKind = keyof typeof alarmKinds;

/** A problem in one minute, before deciding whether to send an alarm. */
export interface Finding {
  kind: AlarmKind;
  /** One cause has one area; `payment` includes `payment:stripe`. */
  area: string;
  /** Such as `country DE`; empty if everybody is affected. */
  segment: string;
  detail: string;
  /** Standard deviations; Infinity if certain. */
  zScore: number;
  /** When it began, in minutes since 1970. */
  since: number;
}
