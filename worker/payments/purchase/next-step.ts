import { sendLimitMs } from './attempt.ts';
import { gatewayTraits } from './gateway-traits.ts';
import type { Attempt } from './state.ts';

export type Step = 'charge' | 'lookUp' | 'cancelUnpaid' | 'fail' | 'nothing';

/** Every fourth call after unclear answers looks the payment up instead of sending it again. */
const lookUpEvery = 4;

const isChallengeOverdue = ({ challengedAt }: Attempt, now: number) =>
  now - (challengedAt ?? now) > sendLimitMs;

export function nextStep(attempt: Attempt, now: number): Step {
  const isLate = now - attempt.openedAt > sendLimitMs;
  switch (attempt.state) {
    case 'open':
      return isLate ? 'fail' : 'charge';
    case 'sent':
      if (isLate || !gatewayTraits[attempt.gateway].repeatsCharges) return 'cancelUnpaid';
      return attempt.tries % lookUpEvery === lookUpEvery - 1 ? 'lookUp' : 'charge';
    case 'rerouted':
      return isLate ? 'fail' : 'nothing';
    case 'challenged':
      return isChallengeOverdue(attempt, now) ? 'cancelUnpaid' : 'nothing';
    case 'returned':
      // Stop waiting if the payer returned without completing the challenge.
      return isChallengeOverdue(attempt, now) ? 'cancelUnpaid' : 'lookUp';
    case 'processing':
      return 'lookUp';
    case 'active':
    case 'declined':
    case 'failed':
      return 'nothing';
    default:
      return attempt.state satisfies never;
  }
}
