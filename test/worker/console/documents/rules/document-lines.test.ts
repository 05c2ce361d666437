import { expect, test } from 'vitest';
import { withLine } from '../../../../../worker/console/documents/rules/document-lines.ts';
import { configSet } from '../../../../../worker/experiments/config-set.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';

const builtIn = JSON.parse(builtInDocuments['config.json']);

/** Problems of the built-in document with these coupons, each with the text of the reported line. */
function problemsOf(coupons: object, change = (text: string) => text) {
  const config = change(JSON.stringify({ ...builtIn, coupons }, null, 2));
  const texts = { 'config.json': config, 'flows.json': builtInDocuments['flows.json'] };
  return configSet.problems(texts).errors.map((each) => {
    const numbered = withLine(each, texts);
    const [, line = ''] = /line (\d+)/.exec(numbered) ?? [];
    return [numbered.replace(/line \d+/, 'line N'), config.split('\n')[Number(line) - 1]?.trim()];
  });
}

const good = { percent: 5, plans: ['monthly'], until: '2026-12-31' };

test.each([
  ['plans.0', { ...good, plans: ['weekly'] }, '"weekly"'],
  ['percent', { ...good, percent: 200 }, '"percent": 200,'],
  ['until', { ...good, until: 'soon' }, '"until": "soon"'],
  ['percnt', { percnt: 5, amount: 5 }, '"percnt": 5,'],
])(
  'document lines: an invalid %s of the second coupon is reported with its line',
  (field, wrong, line) => {
    const [[numbered = '', named] = []] = problemsOf({ A: good, B: wrong, C: good });
    expect(numbered).toMatch(new RegExp(`^config.json line N, coupons\\.B\\.${field}: `));
    expect(named).toBe(line);
  },
);

test('document lines: a missing field of a coupon is reported with the coupon’s line', () => {
  const [[numbered = '', named] = []] = problemsOf({ A: good, B: { plans: ['monthly'] }, C: good });
  expect([numbered, named]).toEqual([
    'config.json line N, coupons.B.percent: needs percent (1 to 100) or amount (in cents)',
    '"B": {',
  ]);
});

test('document lines: a misspelt field is reported with its own line', () => {
  const [[numbered = '', named] = []] = problemsOf({}, (text) =>
    text.replace('"weight": ', '"weigth": '),
  );
  expect(numbered).toBe(
    'config.json line N, variants.0.weight: missing; is weigth a misspelling of it?',
  );
  expect(named).toMatch(/^"weigth": /);
});

test('document lines: a missing field of the document is reported with the first line', () => {
  const problem = 'config.json experiment: missing';
  expect(withLine(problem, { 'config.json': '\n{}' })).toBe(
    'config.json line 1, experiment: missing',
  );
});

test.each([
  ['a value without quotes', '"percent": 5', '"percent": five', '"percent": five,'],
  ['another kind of quotes', '"2026-12-31"', "'2026-12-31'", `"until": '2026-12-31'`],
  ['a value that is missing', '"percent": 5', '"percent":', '"percent":,'],
])('document lines: %s is reported with its line', (_, from, to, line) => {
  const [[numbered = '', named] = []] = problemsOf({ A: good }, (text) => text.replace(from, to));
  expect(numbered).toContain('config.json line N: not JSON (Unexpected token');
  expect(named).toBe(line);
});

test('document lines: a problem of a whole document that can be read has no line', () => {
  const problem = 'config.json: larger than 1 MB';
  expect(withLine(problem, { 'config.json': '{}' })).toBe(problem);
});

test('document lines: a document that is wrong from the start is reported with its first line', () => {
  const [[numbered = '', named] = []] = problemsOf({ A: good }, (text) => `config${text}`);
  expect(numbered).toContain('config.json line N: not JSON (Unexpected token');
  expect(named).toBe('config{');
});

test('document lines: V8 itself reports the line of a missing comma', () => {
  const [[numbered] = []] = problemsOf({ A: good }, (text) => text.replace('5,', '5'));
  expect(numbered).toMatch(/^config\.json: not JSON .* \(line N column/);
});
