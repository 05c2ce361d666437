import { expect, test } from 'vitest';
import type { Incident } from '../../../../worker/monitoring/rules/incidents.ts';
import { partsOf } from '../../../../worker/monitoring/rules/status-parts.ts';
import type { Check } from '../../../../worker/monitoring/rules/walks.ts';
import { minuteMs } from '../../../../worker/platform/durations.ts';
import { check, failed, now } from './check-fixture.ts';

const state = (checks: Check[], incidents: Partial<Incident>[] = []) => ({
  watchedAt: now,
  checks,
  incidents: incidents as Incident[],
});
const open = { openedAt: 90, clearedAt: null, partOf: null };

test('status: a part is down when every walk fails there, and degraded when some fail', () => {
  const working = {
    pages: 'works',
    signup: 'works',
    payments: 'works',
    email: 'works',
    sms: 'works',
  };
  expect(partsOf(state([check()]), now).parts).toEqual(working);
  expect(partsOf(state([failed('provider')]), now).parts).toEqual({ ...working, payments: 'down' });
  const some = [failed('provider'), check({ market: 'euro' })];
  expect(partsOf(state(some), now).parts).toEqual({ ...working, payments: 'degraded' });
  expect(partsOf(state([failed('searching')]), now).parts).toEqual({
    ...working,
    pages: 'down',
    signup: 'down',
    payments: 'down',
  });
  expect(partsOf(state([failed('signup')]), now).parts).toMatchObject({
    pages: 'works',
    signup: 'down',
    payments: 'down',
  });
});

test('status: an open alarm means degraded; without recent checks the status is unknown', () => {
  const alarm = { ...open, area: 'payment:stripe' };
  expect(partsOf(state([check()], [alarm]), now).parts.payments).toBe('degraded');
  expect(partsOf(state([check()], [{ ...open, area: 'email' }]), now).parts.email).toBe('degraded');
  const later = partsOf(state([check()]), now + 11 * minuteMs);
  expect(new Set(Object.values(later.parts))).toEqual(new Set(['unknown']));
  expect(partsOf({ watchedAt: null, checks: [], incidents: [] }, now).checkedAt).toBeNull();
});

test('status: a check counts for less than ten minutes', () => {
  const pagesAt = (ms: number) =>
    partsOf({ ...state([failed('landing')]), watchedAt: now + ms }, now + ms).parts.pages;
  expect([pagesAt(10 * minuteMs - 1), pagesAt(10 * minuteMs)]).toEqual(['down', 'works']);
  const watched = (ms: number) => partsOf(state([]), now + ms).parts.sms;
  expect([watched(10 * minuteMs - 1), watched(10 * minuteMs)]).toEqual(['works', 'unknown']);
});
