import type { Visit } from './browser-session.ts';
import { emailedLink } from './emailed-links.ts';
import { journey } from './run-journey.ts';
import { buyPlan } from './walk-flow.ts';

/** Ends the session: the server rejects its token. */
async function endSession(visit: Visit, token = 'over'): Promise<void> {
  visit.expects(/\/users\/me\//, 401);
  // When the page closes: until then a response would store the live token again.
  await visit.page.evaluate((rejected) => {
    addEventListener('pagehide', () => sessionStorage.setItem('access_token', rejected));
  }, token);
  await visit.page.reload();
}

journey('expired session: an upsell continues by an e-mailed link', async ({ visitor, server }) => {
  const { page } = visitor;
  await buyPlan(visitor);
  await endSession(visitor);
  await visitor.waitLive('upsell-offer');
  await visitor.tap(/^Add for/);
  await visitor.sees('Your session has ended.');
  await visitor.checkAccessibility('upsell-signed-out');
  await page.locator('#email').fill(visitor.email);
  await visitor.tap('Email me a link');
  await visitor.sees('a link is on its way');
  // The address was typed in this browser, so the link asks no confirmation.
  await visitor.open(await emailedLink(server, visitor.email, '/m#'));
  await visitor.arriveAt('upsell_an_private');
  await visitor.tap('Add for $6.99 every month');
  await visitor.arriveAt('success');
});
