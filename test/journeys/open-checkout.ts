import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';
import { startAtSignup } from './walk-flow.ts';

/** Walks a visitor to a payment screen in its own flow. The coupon TEN takes 10 % off. */
export async function comeToPay(screen: string, visitor: Visit, server: TestServer) {
  const flow = ['one_pager', 'searching', 'signup', screen, 'upsell_an_private', 'success'];
  const variants = [{ key: 'fullPrice', weight: 100, flow: `to_${screen}` }];
  await server.configure(
    { experiment: screen, variants, coupons: { TEN: { percent: 10 } } },
    { flows: { [`to_${screen}`]: flow } },
  );
  await startAtSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt(screen);
}
