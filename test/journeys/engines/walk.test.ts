import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines } from '../../../scripts/browser-engines.ts';
import { textsOf } from '../../locales/flat-texts.ts';
import { cards } from '../pay.ts';
import { startServer, type TestServer } from '../test-server.ts';
import { phones } from '../walk-flow.ts';
import { Visitor } from './engine.ts';
import { openFirefox } from './firefox.ts';
import { openProxy } from './proxy.ts';
import { openWebKit } from './webkit.ts';

const openers = { Firefox: openFirefox, WebKit: openWebKit };

let server: TestServer;
let proxy: Awaited<ReturnType<typeof openProxy>>;

beforeAll(async () => {
  // Vendors' scripts come from the fakes on our own origin: no browser has to be intercepted.
  server = await startServer({
    vars: { FAKES_URL: '/fakes', CONFIG_CACHE_SECONDS: '0' },
    country: 'US',
  });
  proxy = await openProxy(server.url);
});
afterAll(async () => {
  proxy.close();
  await server.close();
});

for (const { name, installed, packages } of engines) {
  if (installed()) walk(name);
  else
    test(`${name} walks the funnel`, ({ skip }) =>
      skip(`not run, because there is no ${packages.join(' and ')}`));
}

function walk(name: keyof typeof openers): void {
  let visitor: Visitor;
  let visits = 0;
  const email = () => `${name.toLowerCase()}-${visits}@example.com`;
  const capturedAmounts = () => server.gatewayCaptures(email()).map(({ amount }) => amount);

  async function toSignup() {
    await visitor.open('/');
    await visitor.waitLive('phone-form');
    await visitor.type('#phone', phones.good);
    await visitor.tap('#continue-button');
    await visitor.arriveAt('searching');
    await visitor.sees('Number checked');
    await visitor.tap('#continue-button');
    await visitor.arriveAt('signup');
  }

  async function toCheckout() {
    await visitor.waitLive('email-form');
    await visitor.type('#email', email());
    await visitor.tap('#continue-button');
    await visitor.arriveAt('checkout_v3_tr');
  }

  async function pay(card: string) {
    const visible = (css: string) =>
      `document.querySelector('${css}')?.getClientRects().length > 0`;
    await visitor.holds('card form', `return ${visible('#card')} || ${visible('#card-button')}`);
    if (await visitor.driver.run(`return ${visible('#card-button')}`))
      await visitor.tap('#card-button');
    await visitor.type('input', card, 'Secure card number input frame');
    await visitor.type('input', '1234', 'Secure expiration date input frame');
    await visitor.type('input', '123', 'Secure CVC input frame');
    await visitor.tap('#continue-button');
  }

  describe(name, () => {
    beforeEach(async () => {
      visits += 1;
      await server.forgetLimits();
      server.lines.length = 0;
      visitor = new Visitor(await openers[name](), proxy.url);
    });
    afterEach(async () => {
      const errors = visitor.driver.errors();
      await visitor.driver.close();
      expect(errors.join('\n')).toBe('');
      expect(
        server.lines.filter((line) => /browser_report_received|"level":"error"/.test(line)),
      ).toEqual([]);
    });

    test('default flow: pays, adds the upsell and gets the app', async () => {
      await toSignup();
      await toCheckout();
      await pay(cards.approved);
      await visitor.arriveAt('upsell_an_private');
      await visitor.waitLive('upsell-offer');
      await visitor.tap('button', 'Add for $6.99');
      await visitor.arriveAt('success');
      await visitor.sees('Your plan awaits');
      expect(capturedAmounts()).toEqual([5999, 699]);
    });

    test('pays with another card after a declined card', async () => {
      await toSignup();
      await toCheckout();
      await pay(cards.declined);
      await visitor.arriveAt('payment_declined');
      expect(capturedAmounts()).toEqual([]);
      await visitor.tap('#continue-button');
      await visitor.arriveAt('checkout_v3_tr');
      await pay(cards.approved);
      await visitor.arriveAt('upsell_an_private');
      expect(capturedAmounts()).toEqual([5999]);
    });

    test('the funnel works in Arabic, right to left, up to the end', async () => {
      await visitor.open('/');
      await visitor.tap('summary', 'English');
      await visitor.tap('button', 'العربية');
      await visitor.holds('right to left', "return document.documentElement.dir === 'rtl'");
      await visitor.waitLive('phone-form');
      await visitor.type('#phone', phones.abroad);
      await visitor.tap('#continue-button');
      await visitor.arriveAt('searching');
      await visitor.sees(textsOf('ar', 'islands.json').get('search-progress.done') ?? '');
      await visitor.tap('#continue-button');
      await visitor.arriveAt('signup');
      await toCheckout();
      await pay(cards.approved);
      await visitor.arriveAt('upsell_an_private');
      await visitor.holds('right to left', "return document.documentElement.dir === 'rtl'");
    });

    // WebKitGTK has no cache on disk while it is automated.
    test.runIf(name === 'Firefox')(
      'prefetch: a prefetched page is shown, unless the language changes',
      async () => {
        const requestCount = proxy.count('/checkout_v3_tr');
        await toSignup();
        await visitor.tap('#email');
        await visitor.holds(
          'the checkout is fetched',
          `const [checkout] = performance.getEntriesByName(location.origin + '/checkout_v3_tr');
         return checkout?.responseEnd > 0;`,
        );
        await visitor.tap('summary', 'English');
        await visitor.tap('button', 'Deutsch');
        await visitor.holds('German', "return document.documentElement.lang === 'de'");
        await toCheckout();
        await visitor.sees('Wähle dein Abo');
        expect(requestCount()).toBe(2);
      },
    );

    test('late scripts: taps before the loader are replayed', async () => {
      const release = proxy.hold(/\/static\/js\//);
      await visitor.open('/');
      await visitor.type('#phone', phones.good);
      await visitor.tap('#continue-button');
      await visitor.arriveAt('searching');
      release();
      await visitor.sees('Number checked');
    });

    test('late scripts: taps before React are replayed', async () => {
      const release = proxy.hold(/\/static\/js\/react\./);
      await visitor.open('/');
      await visitor.holds('the loader runs', 'return history.state !== null');
      await visitor.type('#phone', phones.good);
      await visitor.tap('#continue-button');
      release();
      await visitor.arriveAt('searching');
      await visitor.sees('Number checked');
    });

    test('the first Back stays, the second leaves; a reload keeps the screen', async () => {
      // A page of ours, because Firefox shows JSON and text in viewers with other rules.
      await visitor.open('/cancel');
      await toSignup();
      await visitor.holds('a guard entry', 'return Boolean(history.state?.guard)');
      // The second Back follows when the first was handled, which leaves a new guard.
      await visitor.driver.run(`
        addEventListener('popstate', () => history.state?.guard && history.back(), { once: true });
        history.back();`);
      await visitor.holds('the page before', "return location.pathname === '/cancel'");
      await visitor.open('/signup');
      await visitor.arriveAt('signup');
      await visitor.holds('a guard entry', 'return Boolean(history.state?.guard)');
      await visitor.driver.run('history.back()');
      await visitor.holds('Back was answered', "return document.activeElement?.tagName === 'H1'");
      await visitor.arriveAt('signup');
      await visitor.driver.run('location.reload()');
      await visitor.arriveAt('signup');
      await visitor.waitLive('toast');
    });
  });
}
