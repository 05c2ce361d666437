import { type Attempt, type GatewayName, isFinal } from './attempt.ts';

/** What is asked for while the slot is closed. */
interface Asked {
  plan: string;
  gateway: GatewayName;
  nonce: string | null;
  /** The coupon that lowers the sum, or why it does not any more. */
  coupon: { code: string } | { refusal: unknown } | null;
}

/**
 * Whether somebody asks for what an attempt is about, at its sum: then it is a retry. An attempt that
 * is over, and a coupon that is refused by now, tell nothing of the sum.
 */
export function isRetry(before: Attempt, { plan, gateway, nonce, coupon }: Asked): boolean {
  const unknown = isFinal(before.state) || (coupon && 'refusal' in coupon);
  const code = coupon && 'code' in coupon ? coupon.code : null;
  const sameWay = nonce === null || before.gateway === gateway;
  return before.plan === plan && sameWay && (unknown || before.coupon === code);
}

/**
 * Whether an attempt makes way for another: at Braintree nothing is sent while the bank asks, so who
 * wants another plan, sum or way to pay then has given it up.
 */
export const canBeReplaced = ({ gateway, state }: Attempt): boolean =>
  gateway === 'braintree' && state === 'challenged';
