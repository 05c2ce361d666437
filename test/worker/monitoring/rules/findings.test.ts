import { expect, test } from 'vitest';
import type { Counts } from '../../../../worker/monitoring/rules/counts.ts';
import { findingsIn } from '../../../../worker/monitoring/rules/findings.ts';

const minute = 10_000;

type PerMinute = Record<string, number>;

/** The usual counts per minute, in all past weeks too, and others in the last `minutes`. */
const counts = (usual: PerMinute, now: PerMinute = {}, minutes = 60): Counts => ({
  series: Object.keys({ ...usual, ...now }),
  sum(name, from, to) {
    const recent = Math.max(0, to - Math.max(from, minute - minutes));
    const before = usual[name] ?? 0;
    return before * (to - from - recent) + (now[name] ?? before) * recent;
  },
  past: (name) => [1, 2, 3, 4].map(() => usual[name] ?? 0),
});
const findings = (usual: PerMinute, now?: PerMinute, open: string[] = []) =>
  findingsIn(counts(usual, now), minute, new Set(open));

test('findings: a usual share causes none; a share without history is compared with the previous hours', () => {
  const usual = { 'email|tried': 50, 'email|refused': 1 };
  expect(findings(usual)).toEqual([]);
  const young = { ...counts(usual, { 'email|refused': 30 }, 10), past: () => [] };
  expect(findingsIn(young, minute)).toMatchObject([{ kind: 'email_refused', area: 'email' }]);
});

test('findings: a rise without anything tried has a share of zero', () => {
  const usual = { 'email|tried': 50, 'email|refused': 0 };
  const [found] = findings(usual, { 'email|tried': 0, 'email|refused': 1 });
  expect(found?.detail).toBe('60 of 0 in 60 minutes (0.0 %), usually 0.0 %');
});

test('findings: a step that fewer visitors reach is named with its counts and shares', () => {
  expect(findings({ 'step|visit': 100, 'step|signup': 20 }, { 'step|signup': 5 })).toEqual([
    {
      kind: 'step_rate_dropped',
      area: 'step:signup',
      segment: '',
      detail: 'signup: 300 of 6000 in 60 minutes (5.0 %), usually 20 %',
      zScore: expect.closeTo(11.6, 1),
      since: minute - 60,
    },
  ]);
});

test.each([
  ['visit', 'signup', 'step:signup', 'signups_stopped', 26],
  ['signup', 'checkout', 'step:checkout', 'step_rate_dropped', 28],
  ['checkout', 'pay', 'step:pay', 'step_rate_dropped', 27],
  ['pay', 'purchase', 'payment', 'purchases_stopped', 29],
])(
  'findings: of %s to %s, only those are counted who had the time',
  (before, step, area, kind, thousands) => {
    const usual = { [`step|${before}`]: 10, [`step|${step}`]: 2 };
    const wave = counts(usual, { [`step|${before}`]: 1000, [`step|${step}`]: 0 }, 30);
    const [found] = findingsIn(wave, minute).filter((one) => one.area === area);
    expect(found).toMatchObject({ area, kind });
    // In half an hour, at 1000 a minute, and at 10 a minute before it.
    const of = thousands * 1000 + (30 - thousands) * 10;
    expect(found?.detail).toBe(`${step}: 0 of ${of} in 30 minutes (0.0 %), usually 20 %`);
  },
);

test('findings: a step has stopped for everybody at an eighth of the usual share, not in one country', () => {
  const usual = { 'step|visit': 1000, 'step|signup': 200 };
  const kindAt = (signups: number) => findings(usual, { 'step|signup': signups })[0]?.kind;
  expect([kindAt(24), kindAt(25)]).toEqual(['signups_stopped', 'step_rate_dropped']);
  const german = { 'step|visit|country|DE': 100, 'step|signup|country|DE': 20 };
  expect(findings(german, { 'step|signup|country|DE': 0 })).toMatchObject([
    { kind: 'step_rate_dropped', segment: 'country DE', area: 'step:signup' },
  ]);
});

const payments = { 'attempt|stripe|decided': 10, 'webhook|stripe|received': 10 };

test.each([
  ['declines_rose', 'payment:stripe', '', 'attempt|stripe|declined', payments],
  [
    ...['declines_rose', 'payment:stripe', 'country DE', 'attempt|stripe|declined|DE'],
    { ...payments, 'attempt|stripe|decided|DE': 10 },
  ],
  [
    ...['three_d_secure_failed', 'payment:stripe', '', 'attempt|stripe|unverified'],
    { ...payments, 'attempt|stripe|challenged': 10 },
  ],
  [
    ...['three_d_secure_failed', 'payment:stripe', 'country DE', 'attempt|stripe|unverified|DE'],
    { ...payments, 'attempt|stripe|decided|DE': 10, 'attempt|stripe|challenged|DE': 10 },
  ],
  [
    ...['provider_failed', 'payment:stripe', '', 'call|stripe|failed'],
    { ...payments, 'call|stripe|made': 10 },
  ],
  [
    ...['provider_slow', 'payment:stripe', '', 'call|stripe|slow'],
    { ...payments, 'call|stripe|made': 10 },
  ],
  ['webhooks_late', 'webhooks:stripe', '', 'webhook|stripe|late', payments],
  ['refunds_rose', 'refunds:stripe', '', 'ledger|stripe|refund', payments],
  ['disputes_rose', 'disputes:stripe', '', 'ledger|stripe|dispute', payments],
  ['pages_failed', 'pages', '', 'request|failed', { 'request|served': 10 }],
  ['email_refused', 'email', '', 'email|refused', { 'email|tried': 10 }],
  ['email_refused', 'email', '', 'email|failed', { 'email|tried': 10 }],
  ['sms_refused', 'sms', '', 'sms|refused', { 'sms|tried': 10 }],
  ['sms_refused', 'sms', '', 'sms|failed', { 'sms|tried': 10 }],
] as [string, string, string, string, PerMinute][])(
  'findings: %s in %s %s',
  (kind, area, segment, part, whole) => {
    const usual = { ...whole, [part]: 1 };
    expect(findings(usual)).toEqual([]);
    const [found, ...more] = findings(usual, { [part]: 5 });
    expect(found).toMatchObject({ kind, area, segment });
    expect(found?.detail).toBe('300 of 600 in 60 minutes (50 %), usually 10 %');
    expect(more).toEqual([]);
  },
);

test('findings: missing webhooks are noticed, less those of the last three minutes', () => {
  const wave = counts(
    payments,
    { 'attempt|stripe|decided': 1000, 'webhook|stripe|received': 0 },
    30,
  );
  expect(findingsIn(wave, minute)).toMatchObject([
    {
      kind: 'webhooks_late',
      area: 'webhooks:stripe',
      detail: expect.stringMatching(/^0 of 27030 in 30 minutes/),
    },
  ]);
});

test('findings: a rise is compared with the traffic of the same minutes', () => {
  const usual = { 'email|tried': 100, 'email|failed': 0 };
  const [found] = findingsIn(counts(usual, { 'email|tried': 10, 'email|failed': 10 }, 30), minute);
  expect(found?.detail).toBe('300 of 300 in 30 minutes (100 %), usually 0.2 %');
});

/** Declined payments in the last hour, of usually six. */
const declines = (count: number, country = '', open: string[] = []) => {
  const declined = `attempt|stripe|declined${country}`;
  const decided = { 'attempt|stripe|decided': 1, [`attempt|stripe|decided${country}`]: 1 };
  return findings({ ...decided, [declined]: 0.1 }, { [declined]: count / 60 }, open).length;
};

test('findings: a country needs a clearer rise than everybody, and an open alarm a smaller one', () => {
  expect([declines(23), declines(24)]).toEqual([0, 1]);
  expect([declines(24, '|DE'), declines(25, '|DE')]).toEqual([0, 1]);
  const open = ['payment:stripe'];
  expect([declines(16, '', open), declines(17, '', open)]).toEqual([0, 1]);
});

test('findings: a rise is at least six cases, and at least half more than usual', () => {
  const few = (cases: number) =>
    findings({ 'email|tried': 1 }, { 'email|refused': cases / 60 }, ['email']).length;
  expect([few(5), few(6)]).toEqual([0, 1]);
  const usual = { 'email|tried': 10_000, 'email|refused': 1000 };
  const many = (refused: number) => findings(usual, { 'email|refused': refused }).length;
  expect([many(1499), many(1500)]).toEqual([0, 1]);
});

test('findings: the alarm of a dropped step stays open up to 70 percent of the usual share', () => {
  const usual = { 'step|visit': 10_000, 'step|signup': 1000 };
  const at = (signups: number, open: string[]) =>
    findings(usual, { 'step|signup': signups }, open).length;
  expect([at(700, ['step:signup']), at(701, ['step:signup'])]).toEqual([1, 0]);
  expect([at(600, []), at(700, [])]).toEqual([1, 0]);
});

test('findings: fewer visits than on this weekday are an alarm, until they are above a third', () => {
  const at = (visits: number, open: string[] = []) =>
    findingsIn(counts({ 'step|visit': 1000 }, { 'step|visit': visits }, 30), minute, new Set(open));
  expect(at(100)).toEqual([
    {
      kind: 'visits_dropped',
      area: 'visits',
      segment: '',
      detail: '3000 visits in 30 minutes, usually 30000',
      zScore: expect.closeTo(5.5, 1),
      since: minute - 30,
    },
  ]);
  expect(at(300)).toEqual([]);
  expect(at(350, ['visits'])).toHaveLength(1);
  expect(at(351, ['visits'])).toEqual([]);
});

test.each([
  ['dead_letters', 'dead_letters', 'dead_letter|events', 'events', 60],
  ['unsold_money', 'unsold', 'unsold|stripe', 'stripe', 60],
  ['unannounced_charge', 'unannounced', 'unannounced|stripe', 'stripe', 60],
  ['circuit_opened', 'circuits', 'circuit|stripe', 'stripe', 10],
  ['entitlement_endpoint_disabled', 'entitlements', 'endpoint_disabled|app', 'app', 60],
  ['configuration_refused', 'configuration', 'config_refused', 'refused', 30],
  ['publication_refused', 'publications', 'publication_refused', 'refused', 60],
])(
  'findings: %s is certain after one case, and clears after a while',
  (kind, area, series, name, minutes) => {
    /** One case, some minutes ago. */
    const after = (ago: number) =>
      findingsIn(
        {
          series: [series, 'other'],
          sum: (wanted, from, to) =>
            Number(wanted === series && from <= minute - ago && minute - ago < to),
          past: () => [],
        },
        minute,
      );
    const certain = { segment: '', zScore: Number.POSITIVE_INFINITY, since: minute - 1 };
    expect(after(minutes)).toEqual([{ kind, area, detail: `${name}: 1`, ...certain }]);
    expect(after(minutes + 1)).toEqual([]);
  },
);
