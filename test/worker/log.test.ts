import { afterEach, expect, test, vi } from 'vitest';
import { logger } from '../../worker/log.ts';
import readme from '../../worker/README.md?raw';

afterEach(() => void vi.restoreAllMocks());

test.each(['debug', 'info', 'warn', 'error'] as const)(
  'a line of level %s is one JSON object',
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

test('a field of the line stands before the logger’s own', () => {
  const written = vi.spyOn(console, 'info').mockReturnValue();
  logger({ screen: 'a', arm: 'b' })('info', 'x', { screen: 'c' });
  expect(JSON.parse(written.mock.calls[0]?.[0])).toMatchObject({ screen: 'c', arm: 'b' });
});

const sources = import.meta.glob<string>('../../worker/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const matches = (text: string, sign: RegExp) => [...text.matchAll(sign)].map(([, name]) => name);
const [fields = '', events = ''] = readme.split('| event  ');

test('operators read of every field that a line can have', () => {
  const known = matches(sources['../../worker/log.ts'] ?? '', /^ {2}(\w+)\?: /gm);
  expect(known).toContain('request');
  expect(matches(fields, /^\| `(\w+)` /gm)).toEqual(['ts', 'level', 'event', ...known]);
});

test('operators read of every event that the source names', () => {
  const named = Object.values(sources).flatMap((source) =>
    matches(source, /\blog\(\s*[^,()]+,\s*'(\w+)'/g),
  );
  expect(named).toContain('gateway_ambiguous');
  expect(matches(events, /^\| `(\w+)` /gm)).toEqual(expect.arrayContaining(named));
});
