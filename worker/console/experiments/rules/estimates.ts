import { daysNeeded, visitorsNeeded } from '../../../experiments/rules/sample-size.ts';
import type { Variant } from '../../../experiments/rules/split.ts';

export interface Traffic {
  visitors: number;
  purchases: number;
}

const lifts = [0.05, 0.1, 0.2];
const dayMs = 24 * 60 * 60_000;
const dayText = (at: number) => new Date(at).toISOString().slice(0, 10);
const whole = new Intl.NumberFormat('en');
const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;

export function estimatesOf(variants: readonly Variant[], traffic: Traffic, now: number): string[] {
  const weights = variants.map(({ weight }) => weight).filter((weight) => weight > 0);
  if (weights.length < 2) return [];
  const { visitors, purchases } = traffic;
  if (visitors === 0 || purchases === 0) {
    return ['There were no purchases in the last seven days, so nothing can be estimated.'];
  }
  const share = purchases / visitors;
  return lifts.flatMap((lift) => {
    const needed = visitorsNeeded(share, lift, weights.length - 1);
    const days = daysNeeded(needed, visitors / 7, weights);
    if (!Number.isFinite(days)) return [];
    return [
      `To detect a rise of purchases by ${percent(lift)}, from ${percent(share)} of visitors in the last seven days to ${percent(share * (1 + lift))}: ${whole.format(needed)} visitors per variant, about ${whole.format(days)} ${days === 1 ? 'day' : 'days'}, until ${dayText(now + days * dayMs)} if the test starts today.`,
    ];
  });
}
