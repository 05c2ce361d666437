import type { StoppedArm } from '../../experiments/rules/running-weights.ts';
import { dayMs, minuteMs } from '../../platform/durations.ts';
import type { Finding } from './alarm-kinds.ts';

/** An arm that a guardrail stopped is an alarm for a day, or until somebody starts it again. @param minute since 1970 */
export const stopFindings = (stops: readonly StoppedArm[], minute: number): Finding[] =>
  stops
    .filter(({ at }) => minute * minuteMs - at < dayMs)
    .map(({ experiment, variant, guardrail, at }) => ({
      kind: 'arm_stopped',
      area: `experiment:${experiment}:${variant}`,
      segment: '',
      detail: `${experiment}: ${variant} was stopped; its ${guardrail.toLowerCase()} are worse than the control’s`,
      zScore: Number.POSITIVE_INFINITY,
      since: Math.floor(at / minuteMs),
    }));
