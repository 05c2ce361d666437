import { expect, test, vi } from 'vitest';
import { logAmbiguousResponse } from '../../../worker/payments/unclear.ts';

test('the line tells the kind of error, never what it quotes', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  logAmbiguousResponse(Object.assign(new Error('pm_secret'), { code: 'timeout' }), {
    attempt: 'a',
  });
  logAmbiguousResponse('pm_secret');
  const lines = warn.mock.calls.map(([line]) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: 'gateway_ambiguous', attempt: 'a', reason: 'Error', code: 'timeout' },
    { event: 'gateway_ambiguous' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('pm_secret');
});
