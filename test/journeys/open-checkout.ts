import type { Visit } from './browser-session.ts';
import type { House } from './test-server.ts';
import { startAtSignup } from './walk-flow.ts';

/** Walks a visitor to a screen that takes payment, in a flow made for it. The code TEN takes 10 % off. */
export async function comeToPay(screen: string, visitor: Visit, house: House) {
  const flow = ['one_pager', 'searching', 'signup', screen, 'upsell_an_private', 'success'];
  const variants = [{ key: 'fullPrice', weight: 100, flow: `to_${screen}` }];
  await house.configure(
    { experiment: screen, variants, coupons: { TEN: { percent: 10 } } },
    { flows: { [`to_${screen}`]: flow } },
  );
  await startAtSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt(screen);
}
