import { expect, test } from 'vitest';
import { fieldsOf, parseReports } from '../../../worker/analytics/merge-browser-reports.ts';

const canary = ['ada@example.com', '+12125550100', 'eyJhbGciOi', '4242424242424242'];
const [email, phone, token, card] = canary;
const query = `?email=${email}&phone=${phone}&t=${token}#${card}`;

/** Fields of all reports of a body, without those that are not there. */
const told = (body: unknown) =>
  parseReports(body).map((report) => JSON.parse(JSON.stringify(fieldsOf(report))));

test('both forms of a refused script say the same', () => {
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
    key: 'script-src-elem',
    state: 'enforce',
    vendor: 'foreign.example',
  };
  expect(told(old)).toEqual([line]);
  expect(told([{ type: 'csp-violation', url, body }])).toEqual([line]);
});

const violation = (body: object, url = 'https://funnel.example/') => [
  { type: 'csp-violation', url, body: { effectiveDirective: 'trusted-types', ...body } },
];

test('of a sample only the name of a policy or a sink is told', () => {
  const policy = { blockedURL: 'trusted-types-policy', sample: 'vendor#html' };
  expect(told(violation(policy))[0].reason).toBe('trusted-types-policy vendor#html');
  const sink = { blockedURL: 'trusted-types-sink', sample: `Element innerHTML|<b>${email}` };
  expect(told(violation(sink))[0].reason).toBe('trusted-types-sink Element innerHTML');
  const inline = { blockedURL: 'inline', sample: `alert("${email}")`, disposition: 'report' };
  expect(told(violation(inline))[0]).toMatchObject({ reason: 'inline', state: 'report' });
});

test('crashes, deprecations and interventions are told by their names', () => {
  const url = 'https://funnel.example/checkout_v3_tr';
  expect(
    told([
      { type: 'crash', url, body: { reason: 'oom' } },
      { type: 'deprecation', url, body: { id: 'UnloadHandler', message: `of ${email}` } },
      { type: 'made-up', url, body: { id: `of ${email}` } },
    ]),
  ).toEqual([
    { type: 'crash', screen: 'checkout_v3_tr', key: 'oom' },
    { type: 'deprecation', screen: 'checkout_v3_tr', key: 'UnloadHandler' },
    { type: 'other', screen: 'checkout_v3_tr', key: 'other' },
  ]);
});

test('wherever somebody’s data stands in a report, no line holds it', () => {
  for (const mark of canary) {
    for (const value of [mark, `https://${mark}.example/${mark}?${mark}#${mark}`, `a ${mark}`]) {
      const fields = ['effectiveDirective', 'blockedURL', 'sourceFile', 'sample', 'disposition'];
      const bodies = [...fields, 'id', 'reason', 'lineNumber'].map((field) => ({
        blockedURL: 'trusted-types-policy',
        [field]: value,
      }));
      for (const type of ['csp-violation', 'crash', value]) {
        const lines = told(bodies.map((body) => ({ type, url: value, body })));
        expect(lines).toHaveLength(bodies.length);
        expect(JSON.stringify(lines)).not.toMatch(/ada|212555|eyJ|42424/);
      }
    }
  }
});

test('what is no report is none', () => {
  for (const body of [null, 1, 'x', {}, [], { 'csp-report': 1 }, { 'csp-report': {} }]) {
    expect(parseReports(body)).toEqual([]);
  }
  expect(told([null, 1, [], { type: 1, url: {}, body: 'x' }])).toHaveLength(4);
});
