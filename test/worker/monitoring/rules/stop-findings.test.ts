import { expect, test } from 'vitest';
import { stopFindings } from '../../../../worker/monitoring/rules/stop-findings.ts';

const minuteMs = 60_000;
const day = 24 * 60;
const at = 10 * day;
const stop = { experiment: 'headline', variant: 'b', guardrail: 'Declines per attempt' };
const found = (minute: number) => stopFindings([{ ...stop, at: at * minuteMs }], minute);

test('stopped arm: it is an alarm for a day, which says why', () => {
  expect(found(at + 1)).toEqual([
    {
      kind: 'arm_stopped',
      area: 'experiment:headline:b',
      segment: '',
      detail: 'headline: b was stopped; its declines per attempt are worse than the control’s',
      zScore: Number.POSITIVE_INFINITY,
      since: at,
    },
  ]);
  expect([found(at + day - 1).length, found(at + day).length]).toEqual([1, 0]);
  expect(stopFindings([], at)).toEqual([]);
});
