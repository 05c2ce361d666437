import { expect, test } from 'vitest';
import { keepChecks, walkFindings } from '../../../../worker/monitoring/rules/walks.ts';
import { minuteMs } from '../../../../worker/platform/durations.ts';
import { check, failed, now } from './check-fixture.ts';

const twice = (step: string) => [failed(step, { at: now - minuteMs }), failed(step)];

test('walks: one failure causes no finding; two in a row cause one, with step and market', () => {
  expect(walkFindings([check({ at: now - minuteMs }), failed('buy')], now)).toEqual([]);
  expect(walkFindings([...twice('buy'), check({ market: 'euro' })], now)).toMatchObject([
    {
      kind: 'walk_failed',
      area: 'payment:stripe',
      segment: 'us stripe',
      detail: 'buy: status 503 (us stripe)',
      since: 99,
    },
  ]);
});

test('walks: if every walk fails, everybody is affected; each step belongs to an area', () => {
  expect(walkFindings(twice('landing'), now)).toMatchObject([{ area: 'pages', segment: '' }]);
  expect(walkFindings(twice('signup'), now)).toMatchObject([{ area: 'step:signup' }]);
  const justOver = failed('landing', { at: now - minuteMs });
  const aMomentAgo = [justOver, failed('landing', { at: now - minuteMs + 1 })];
  expect(walkFindings(aMomentAgo, now + 9 * minuteMs - 1)).toHaveLength(1);
  expect(walkFindings(aMomentAgo, now + 9 * minuteMs)).toEqual([]);
  expect(walkFindings(twice('landing'), now + 11 * minuteMs)).toEqual([]);
});

test('walks: the last twenty of each walk are kept, for an hour', () => {
  const many = Array.from({ length: 30 }, (_, at) => check({ at: now - at * minuteMs })).reverse();
  const kept = keepChecks(many, [check({ market: 'euro' })], now);
  expect(kept.filter(({ market }) => market === 'us')).toHaveLength(20);
  expect(kept.at(-1)?.market).toBe('euro');
  expect(keepChecks(kept, [], now + 60 * minuteMs)).toEqual([]);
});
