import { expect, test } from 'vitest';
import { readableLine } from '../../scripts/serve.ts';

test('readable log: a JSON line becomes time, level, event and fields', () => {
  const line = JSON.stringify({
    ts: '2026-11-22T13:35:07.660Z',
    level: 'info',
    event: 'request',
    request: 'e2bab9d2',
    path: '/:screen',
    status: 200,
  });
  expect(readableLine(line)).toBe('13:35:07 info  request path=/:screen status=200');
});

test('readable log: any other line stays unchanged', () => {
  expect(readableLine('Listening')).toBe('Listening');
});
