import type { ArmFacts } from '../results-table.ts';
import { logGamma } from './distributions.ts';

/** For an arm without visitors. */
export const noFacts = (arm: string): ArmFacts => ({
  arm,
  visitors: 0,
  signUps: 0,
  purchases: 0,
  attempts: 0,
  declined: 0,
  failed: 0,
  returned: 0,
  crashed: 0,
  revenue: {},
  squares: {},
});

/** Rates that must not rise together with purchases: `part` of `whole`. */
export const guardrails = [
  { name: 'Declines per attempt', part: 'declined', whole: 'attempts' },
  { name: 'Failed payments per attempt', part: 'failed', whole: 'attempts' },
  { name: 'Refunds per purchase', part: 'returned', whole: 'purchases' },
  { name: 'Crashes per visitor', part: 'crashed', whole: 'visitors' },
] as const satisfies { name: string; part: keyof ArmFacts; whole: keyof ArmFacts }[];

/** Far below the 5 % of a verdict, because one buyer's repeated declines are not independent. */
const error = 0.001;

/**
 * How much more likely a higher rate of the arm explains its part of all bad events than an equal rate, which puts
 * each of them into the arm with probability `share`. It exceeds 1/p with a probability below p, however often one
 * looks (Ville's inequality; a uniform mixture after Robbins, https://doi.org/10.1214/aoms/1177696786).
 */
export function evidenceAgainst(bad: number, all: number, share: number): number {
  if (!(share > 0 && share < 1) || bad <= share * all) return 0;
  const choices = logGamma(all + 1) - logGamma(bad + 1) - logGamma(all - bad + 1);
  const equal = bad * Math.log(share) + (all - bad) * Math.log(1 - share);
  return Math.exp(-Math.log(all + 1) - choices - equal);
}

export interface Harm {
  variant: string;
  /** Such as `Declines per attempt`. */
  guardrail: string;
}

/** The arms that are worse than the control beyond doubt, each by the first guardrail that shows it. @param facts of the control first */
export function harmfulArms([control, ...others]: readonly ArmFacts[]): Harm[] {
  if (!control) return [];
  const needed = (others.length * guardrails.length) / error;
  return others.flatMap((arm): Harm[] => {
    const broken = guardrails.find(({ part, whole }) => {
      const share = arm[whole] / (arm[whole] + control[whole]);
      return evidenceAgainst(arm[part], arm[part] + control[part], share) > needed;
    });
    return broken ? [{ variant: arm.arm, guardrail: broken.name }] : [];
  });
}
