/** Measurements of one variant's visitors. */
export interface Sample {
  count: number;
  /** Mean per visitor: a share of visitors, or an amount. */
  mean: number;
  /** Variance among visitors. */
  variance: number;
}

export interface Interval {
  estimate: number;
  low: number;
  high: number;
}

interface Settings {
  /** Probability that the interval ever misses the true value. */
  alpha: number;
  /** Number of visitors at which the interval is tightest; chosen before the experiment starts. */
  tunedFor: number;
}

const defaults: Settings = { alpha: 0.05, tunedFor: 5000 };

/**
 * With fewer sign-ups or purchases than this in a variant there is no comparison: the sequence is asymptotic, and with
 * fewer it missed the true value in up to 12 % of simulated experiments (`always-valid.test.ts` has the simulation).
 */
export const minEvents = 30;

/** With 30, four variants gave false alarms in 5 to 7 % of simulated tests. @param compared variants besides the first */
export const minEventsFor = (compared: number): number =>
  Math.ceil(minEvents * Math.sqrt(compared));

/** @param successes at most one per visitor */
export function shareSample(successes: number, visitors: number): Sample {
  const mean = visitors > 0 ? successes / visitors : 0;
  return { count: visitors, mean, variance: mean * (1 - mean) };
}

/** @param sum of the visitors' amounts @param squares sum of the squared amounts */
export function amountSample(sum: number, squares: number, visitors: number): Sample {
  if (visitors < 2) return { count: visitors, mean: visitors > 0 ? sum : 0, variance: 0 };
  const mean = sum / visitors;
  return { count: visitors, mean, variance: (squares - visitors * mean ** 2) / (visitors - 1) };
}

/**
 * Half the width of an asymptotic confidence sequence, equation 9 of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
 * "Time-uniform central limit theory and asymptotic confidence sequences" (https://arxiv.org/abs/2103.06476), with the
 * mixing parameter of its equation 161.
 * @param variance of the estimate
 * @param count observations behind the estimate
 */
function halfWidth(variance: number, count: number, { alpha, tunedFor }: Settings): number {
  const evidence = -2 * Math.log(alpha);
  const rho2 = (evidence + Math.log(evidence + 1)) / tunedFor;
  const mixed = count * rho2 + 1;
  const factor = (2 * mixed * Math.log(Math.sqrt(mixed) / alpha)) / (count ** 2 * rho2);
  return Math.sqrt(variance * count * factor);
}

/** A mean with an interval that holds at every look. @returns null without visitors */
export function meanInterval({ count, mean, variance }: Sample): Interval | null {
  if (!(variance > 0)) return null;
  const half = halfWidth(variance / count, count, defaults);
  return { estimate: mean, low: mean - half, high: mean + half };
}

const maxGrowth = 1000;

/** How many times as many visitors the lift's interval needs to be at most this wide on each side. */
export function visitorGrowth(
  control: Sample,
  treated: Sample,
  halfWidth: number,
  settings: Partial<Settings> = {},
): number {
  const isEnough = (by: number) => {
    const grown = (sample: Sample) => ({ ...sample, count: sample.count * by });
    const lift = liftInterval(grown(control), grown(treated), settings);
    return lift !== null && lift.high - lift.estimate <= halfWidth;
  };
  if (isEnough(1)) return 1;
  let [few, many] = [1, maxGrowth];
  if (!isEnough(many)) return Number.POSITIVE_INFINITY;
  while (many / few > 1.01) {
    const middle = Math.sqrt(few * many);
    if (isEnough(middle)) many = middle;
    else few = middle;
  }
  return many;
}

/** 0.1 for a tenth more, with an interval that holds at every look. @returns null while there is nothing to compare */
export function liftInterval(
  control: Sample,
  treated: Sample,
  settings: Partial<Settings> = {},
): Interval | null {
  if (control.mean <= 0) return null;
  const estimate = (treated.mean - control.mean) / control.mean;
  // By the delta method.
  const variance =
    treated.variance / (treated.count * control.mean ** 2) +
    (control.variance * treated.mean ** 2) / (control.count * control.mean ** 4);
  // Not a number without visitors of the other variant.
  if (!(variance > 0)) return null;
  const half = halfWidth(variance, control.count + treated.count, { ...defaults, ...settings });
  return { estimate, low: estimate - half, high: estimate + half };
}
