import { expect, test, vi } from 'vitest';
import readme from '../../../worker/operators/logs.md?raw';
import { logger } from '../../../worker/platform/log.ts';

test.each(['debug', 'info', 'warn', 'error'] as const)(
  'log: a line of level %s is one JSON object',
  (level) => {
    const written = vi.spyOn(console, level).mockReturnValue();
    logger({ request: 'r1' })(level, 'request', { status: 200, reason: 'a\n"b"' });
    expect(written).toHaveBeenCalledTimes(1);
    const [line] = written.mock.calls[0] ?? [];
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level,
      event: 'request',
      request: 'r1',
      status: 200,
      reason: 'a\n"b"',
    });
  },
);

test('log: a line’s field overrides the logger’s', () => {
  const written = vi.spyOn(console, 'info').mockReturnValue();
  logger({ screen: 'a', arm: 'b' })('info', 'x', { screen: 'c' });
  expect(JSON.parse(written.mock.calls[0]?.[0])).toMatchObject({ screen: 'c', arm: 'b' });
});

const sources = import.meta.glob<string>('../../../worker/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const matches = (text: string, sign: RegExp) => [...text.matchAll(sign)].map(([, name]) => name);

/** Names in the first column of the READMEs' tables. */
const readmes = import.meta.glob<string>(
  [
    '../../../worker/**/README.md',
    '../../../worker/{accounts,analytics,invitations,monitoring,payments}/logs.md',
  ],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
const rows = (text: string) =>
  matches(text, /^\| (`[^|]*)\|/gm).flatMap((cell = '') => matches(cell, /`(\w+)`/g));

test('log: the operators’ list of fields is exactly the fields that a line can have', () => {
  const known = matches(
    sources['../../../worker/platform/log-fields.ts'] ?? '',
    /^ {2}(\w+)\?: /gm,
  );
  expect(known).toContain('request');
  const table = /^\| field [\s\S]*?\n\n/m.exec(readme)?.[0] ?? '';
  expect(rows(table)).toEqual(['ts', 'level', 'event', ...known]);
});

test('log: a README or logs.md of the Worker documents every event that the source writes', () => {
  const named = Object.values(sources).flatMap((source) =>
    matches(source, /\blog\(\s*[^,()]+,\s*'(\w+)'/g),
  );
  expect(named).toContain('gateway_ambiguous');
  const documented = new Set(Object.values(readmes).flatMap(rows));
  expect(named.filter((name) => name && !documented.has(name))).toEqual([]);
});

test('log: every event that the monitor counts is written somewhere', () => {
  const { '../../../worker/platform/log-counts.ts': counts = '', ...others } = sources;
  const [table = ''] = /const countedEvents[\s\S]*?\n};/.exec(counts) ?? [];
  const counted = matches(table, /^ {2}(\w+): /gm);
  expect(counted).toContain('email_failed');
  const code = Object.values(others).join('\n');
  expect(counted.filter((event) => !code.includes(`'${event}'`))).toEqual([]);
});
