import { expect, test, vi } from 'vitest';
import { parseReports, reportFields, Throttle } from '../../../worker/analytics/browser-reports.ts';
import { request } from '../request.ts';

const path = '/api/v1/reports';
const report = () => ({
  type: 'csp-violation',
  url: 'https://funnel.example/signup?email=ada@example.com',
  body: {
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://foreign.example/skim.js',
    disposition: 'enforce',
  },
});
const send = (body: BodyInit, type = 'application/reports+json', headers = {}) =>
  request(path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });

const linesOf = (level: 'warn' | 'info') => {
  const spy = vi.spyOn(console, level).mockReturnValue();
  return () => spy.mock.calls.map(([line]) => JSON.parse(String(line)));
};

test('browser reports: a report is logged without cookie or personal data', async () => {
  const lines = linesOf('warn');
  const response = await send(JSON.stringify([report()]));
  expect(response.status).toBe(204);
  expect(response.headers.has('set-cookie')).toBe(false);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(lines()).toEqual([
    {
      ts: expect.any(String),
      level: 'warn',
      event: 'browser_report_received',
      request: expect.any(String),
      type: 'csp-violation',
      screen: 'signup',
      directive: 'script-src-elem',
      state: 'enforce',
      vendor: 'foreign.example',
    },
  ]);
});

test('browser reports: the older format is accepted', async () => {
  const lines = linesOf('warn');
  const body = {
    'csp-report': { 'document-uri': 'https://funnel.example/', 'blocked-uri': 'eval' },
  };
  const response = await send(JSON.stringify(body), 'application/csp-report');
  expect([response.status, lines()[0]?.reason]).toEqual([204, 'eval']);
});

test.each([
  ['another type', 415, () => send('[]', 'text/plain')],
  ['no JSON', 400, () => send('{')],
  ['too much', 413, () => send(`["${'x'.repeat(40_000)}"]`)],
  ['another site’s page', 403, () => send('[]', undefined, { 'sec-fetch-site': 'cross-site' })],
  ['nothing', 204, () => send('null')],
  ['strange things', 204, () => send('[null,[],{"type":{"a":1},"url":[],"body":7}]')],
])('browser reports: %s never causes a server error', async (_, status, call) => {
  expect((await call()).status).toBe(status);
});

test('browser reports: log lines are limited per minute', async () => {
  const lines = linesOf('warn');
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
  const many = JSON.stringify(Array.from({ length: 50 }, () => report()));
  const statuses = [];
  for (let sent = 0; sent < 8; sent += 1) statuses.push((await send(many)).status);
  expect(lines()).toHaveLength(60);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 429, 429]);
  vi.setSystemTime(Date.now() + 60_000);
  expect((await send(many)).status).toBe(204);
});

const canary = ['ada@example.com', '+12125550100', 'eyJhbGciOi', '4242424242424242'];
const [email, phone, token, card] = canary;
const query = `?email=${email}&phone=${phone}&t=${token}#${card}`;

/** Fields of all reports of a body, without undefined ones. */
const logLines = (body: unknown) =>
  parseReports(body).map((report) => JSON.parse(JSON.stringify(reportFields(report))));

test('browser reports: both formats of a refused script log the same', () => {
  const old = {
    'csp-report': {
      'document-uri': `https://funnel.example/signup${query}`,
      'effective-directive': 'script-src-elem',
      'violated-directive': 'script-src-elem',
      'blocked-uri': `https://foreign.example/${email}/skim.js${query}`,
      'source-file': 'https://funnel.example/static/js/shared.A1b2.chunk.js',
      'line-number': 3,
      'column-number': 14,
      'script-sample': `${card}`,
      disposition: 'enforce',
    },
  };
  const body = {
    documentURL: `https://funnel.example/signup${query}`,
    effectiveDirective: 'script-src-elem',
    blockedURL: `https://foreign.example/${email}/skim.js${query}`,
    sourceFile: 'https://funnel.example/static/js/shared.A1b2.chunk.js',
    lineNumber: 3,
    columnNumber: 14,
    sample: card,
    disposition: 'enforce',
  };
  const url = `https://funnel.example/signup${query}`;
  const line = {
    type: 'csp-violation',
    screen: 'signup',
    stack: 'shared.A1b2.chunk.js:3:14',
    directive: 'script-src-elem',
    state: 'enforce',
    vendor: 'foreign.example',
  };
  expect(logLines(old)).toEqual([line]);
  expect(logLines([{ type: 'csp-violation', url, body }])).toEqual([line]);
});

const violation = (body: object) => [
  {
    type: 'csp-violation',
    url: 'https://funnel.example/',
    body: { effectiveDirective: 'trusted-types', ...body },
  },
];

test('browser reports: only a policy’s or sink’s name of a sample is logged', () => {
  const policy = { blockedURL: 'trusted-types-policy', sample: 'vendor#html' };
  expect(logLines(violation(policy))[0].reason).toBe('trusted-types-policy vendor#html');
  const sink = { blockedURL: 'trusted-types-sink', sample: `Element innerHTML|<b>${email}` };
  expect(logLines(violation(sink))[0].reason).toBe('trusted-types-sink Element innerHTML');
  const inline = { blockedURL: 'inline', sample: `alert("${email}")`, disposition: 'report' };
  expect(logLines(violation(inline))[0]).toMatchObject({ reason: 'inline', state: 'report' });
});

test('browser reports: crashes, deprecations and interventions are logged by name', () => {
  const url = 'https://funnel.example/checkout_v3_tr';
  expect(
    logLines([
      { type: 'crash', url, body: { reason: 'oom' } },
      { type: 'deprecation', url, body: { id: 'UnloadHandler', message: `of ${email}` } },
      { type: 'made-up', url, body: { id: `of ${email}` } },
    ]),
  ).toEqual([
    { type: 'crash', screen: 'checkout_v3_tr', reason: 'oom' },
    { type: 'deprecation', screen: 'checkout_v3_tr', feature: 'UnloadHandler' },
    { type: 'other', screen: 'checkout_v3_tr', feature: 'other' },
  ]);
});

test('browser reports: personal data anywhere in a report is not logged', () => {
  for (const personal of canary) {
    for (const value of [
      personal,
      `https://${personal}.example/${personal}?${personal}#${personal}`,
      `a ${personal}`,
    ]) {
      const fields = ['effectiveDirective', 'blockedURL', 'sourceFile', 'sample', 'disposition'];
      const bodies = [...fields, 'id', 'reason', 'lineNumber'].map((field) => ({
        blockedURL: 'trusted-types-policy',
        [field]: value,
      }));
      for (const type of ['csp-violation', 'crash', value]) {
        const lines = logLines(bodies.map((body) => ({ type, url: value, body })));
        expect(lines).toHaveLength(bodies.length);
        expect(JSON.stringify(lines)).not.toMatch(/ada|212555|eyJ|42424/);
      }
    }
  }
});

test('browser reports: other JSON has no reports', () => {
  for (const body of [null, 1, 'x', {}, [], { 'csp-report': 1 }, { 'csp-report': {} }])
    expect(parseReports(body)).toEqual([]);
  expect(logLines([null, 1, [], { type: 1, url: {}, body: 'x' }])).toHaveLength(4);
});

test('throttle: each window has the same limit', () => {
  const throttle = new Throttle(2, 1000);
  expect([0, 400, 999, 1000, 1500, 1999, 5000].map((now) => throttle.allows(now))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});
