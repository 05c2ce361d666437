import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const minute = 60_000;

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ local: new Map() });
});
it('session: ends after 30 minutes of inactivity', async () => {
  const { sessionAt: visitAt } = await import(
    '../../../../islands/runtime/tracking/start-tracking.ts'
  );
  const first = visitAt(0);
  expect(first.begins).toBe(true);
  expect(visitAt(29 * minute)).toEqual({ id: first.id, begins: false });
  expect(visitAt(58 * minute)).toEqual({ id: first.id, begins: false });
  const second = visitAt(88 * minute);
  expect(second.begins).toBe(true);
  expect(second.id).not.toBe(first.id);
});

it('session: is shared by tabs', async () => {
  const { sessionAt: visitAt } = await import(
    '../../../../islands/runtime/tracking/start-tracking.ts'
  );
  const { id } = visitAt(0);
  vi.resetModules();
  const other = await import('../../../../islands/runtime/tracking/start-tracking.ts');
  expect(other.sessionAt(minute)).toEqual({ id, begins: false });
});
