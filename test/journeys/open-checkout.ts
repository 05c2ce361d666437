import { developmentVars } from '../../scripts/development-vars.ts';
import { consentValue } from '../../worker/visitor/rules/consent.ts';
import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';
import { startAtSignup } from './walk-flow.ts';

/** An offer of these plans, the first preselected, with an upsell and the guide. */
export const offerOf = (...plans: string[]) => ({
  plans,
  preselect: plans[0],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
});

/** Walks a visitor to a payment screen in its own flow. The coupon TEN gives a 10 % discount. */
export async function openCheckout(
  screen: string,
  visitor: Visit,
  server: TestServer,
  config: Record<string, unknown> = {},
) {
  const flow = ['one_pager', 'searching', 'signup', screen, 'upsell_an_private', 'success'];
  const variants = [{ key: 'fullPrice', weight: 100, flow: `to_${screen}` }];
  await server.configure(
    { experiment: screen, variants, coupons: { TEN: { percent: 10 } }, ...config },
    { flows: { [`to_${screen}`]: flow } },
  );
  await startAtSignup(visitor);
  await visitor.giveEmail();
  await visitor.arriveAt(screen);
}

/** Walks to a payment screen of Stripe's, which reports payments made elsewhere by webhook. */
export async function openStripeCheckout(
  visitor: Visit,
  server: TestServer,
  config: Record<string, unknown>,
  consent: 'yes' | 'no' = 'yes',
) {
  const secret = developmentVars.STRIPE_WEBHOOK_SECRET;
  server.fakes.deliverTo({ origin: server.url, secret });
  const cookie = { name: 'consent', value: consentValue(consent), url: server.url };
  await visitor.page.context().addCookies([cookie]);
  await openCheckout('checkout_v3_tr', visitor, server, config);
}

/** Responds on the page of a bank or a wallet. */
export const pressAtProvider = ({ page }: Visit, name: 'Complete' | 'Fail') =>
  page.getByRole('button', { name }).click();
