import type { Visit } from './browser-session.ts';
import { emailedLink } from './emailed-links.ts';
import { full, journey } from './run-journey.ts';
import { buyPlan, payAndFinish, startAtCheckout } from './walk-flow.ts';

const expiredToken = `header.${btoa(JSON.stringify({ exp: 1 }))}.signature`;

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

journey.runIf(full)(
  'expired session: a visitor can skip the upsell and sign in at the end',
  async ({ visitor, server }) => {
    const { page } = visitor;
    await buyPlan(visitor);
    await page.evaluate(() => {
      sessionStorage.clear();
    });
    visitor.expects(/\/users\/me\//, 401);
    await page.reload();
    await visitor.sees('Your session has ended.');
    await visitor.tap('No thanks');
    await visitor.arriveAt('success');
    await visitor.sees('Your session has ended.');
    await visitor.checkAccessibility('success-signed-out');
    await page.locator('#email').fill(visitor.email);
    await visitor.tap('Email me a link');
    await visitor.open(await emailedLink(server, visitor.email, '/m#'));
    await visitor.arriveAt('success');
    await page.locator('#continue-button[href]').waitFor({ state: 'attached' });
  },
);

journey.runIf(full)(
  'expired session: the checkout asks for the e-mail before a card is typed',
  async ({ visitor }) => {
    await startAtCheckout(visitor);
    await endSession(visitor, expiredToken);
    await visitor.page.locator('#missing-step').click();
    await visitor.arriveAt('signup');
    await visitor.button.click();
    await visitor.arriveAt('checkout_v3_tr');
    await payAndFinish(visitor);
  },
);

journey.runIf(full)(
  'expired session: my account asks for the e-mail again',
  async ({ visitor }) => {
    const { page } = visitor;
    await startAtCheckout(visitor);
    await payAndFinish(visitor);
    await visitor.open('/manage');
    await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await page.route('**/cancel', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 401,
            json: {
              errors: {
                code: 'unauthorized',
                messages: ['Your session has ended. Please enter your email again.'],
              },
            },
          })
        : route.fallback(),
    );
    visitor.expects(/\/cancel$/, 401);
    await visitor.tap('Cancel now');
    await visitor.sees('Your session has ended.');
    await page.locator('#email').waitFor();
  },
);
