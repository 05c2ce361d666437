import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Checkout } from '../../screens/checkout.tsx';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { renewals, viewOf } from '../renewal-placeholders.ts';
import { htmlOf, props, wordsOf } from './page-fixture.tsx';

const withCheckout = (more: Partial<typeof props.page.checkout>) => ({
  ...props.page,
  checkout: { ...props.page.checkout, ...more },
});

const html = htmlOf(<Checkout {...props} plans="column" primaryMethod="card" />);
const words = wordsOf(html);

it('checkout: shows amount, renewal and cancellation without JavaScript', () => {
  expect(words).toContain('Today you pay $59.99');
  expect(words).toContain('$20.00 a month billed $59.99 every 3 months');
  expect(words).toContain('Then $59.99 every 3 months from February 20, 2027');
  expect(words).toContain('Cancel anytime in two clicks. No call.');
});

it('checkout: without an account it shows the plans’ prices and asks for the e-mail', () => {
  const missing = words.slice(words.lastIndexOf('Your email comes first'));
  expect(missing).toContain('What it costs 7-day intro Then $39.99 every month $6.99');
  expect(missing).toContain(
    '3 months $20.00 a month, billed $59.99 every 3 months $59.99 If they don’t agree',
  );
});

it('checkout: a paid intro has a timeline: today, the reminder, the first full charge', () => {
  expect(words).toContain('Your order Geozilla · 7-day intro Change Today you pay $6.99');
  expect(words).toContain('November 26 · We email you Then $39.99 every month from November 27');
  expect(words).not.toMatch(/trial/i);
});

it('checkout: the renewal is above every way to pay and below the button, followed by how it ends, the seller and the guarantee', () => {
  const at = (mark: string) => words.indexOf(mark);
  const pay = at('Pay $6.99');
  const renewal = at('Then $39.99 every month from November 27');
  const until = at('Renews until you cancel.');
  const again = words.lastIndexOf('Then $39.99 every month from November 27 .');
  const cancel = words.indexOf('Cancel anytime in two clicks.', again);
  const seller = at('Seller · Sample Company');
  const consent = at('Location works only if the person agrees.');
  const order = [renewal, until, at('Pay by card'), pay, again, cancel, seller, consent];
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(words.match(/100% money back if/g)).toHaveLength(1);
  expect(at('What happens to the number?')).toBeGreaterThan(consent);
});

it('checkout: states before payment what an invitation link provides and what the app provides', () => {
  const promise = 'With a link, they share once.';
  expect(words.indexOf(promise)).toBeGreaterThan(-1);
  expect(words.indexOf(promise)).toBeLessThan(words.indexOf('Your order'));
});

it('checkout: counts down only if the plans change at the end, and names the price that ends', () => {
  expect(html).not.toContain('app.timer');
  const after = [viewOf(builtInCatalog.planOf('monthly', 'USD'))];
  const page = withCheckout({ plansAfterOffer: after, offerExpires: true });
  const counting = htmlOf(<Checkout {...props} page={page} plans="row" primaryMethod="card" />);
  expect(wordsOf(counting)).toContain('We’re holding the $6.99 price for 5:00');
});

it('checkout: says how the other person will be asked, by us or by a link of the visitor', () => {
  expect(words).toContain('Ready to ask For , you send the link yourself');
  const line = /<p [^>]*data-need="map\.byLink" data-missing="">/;
  expect(html).toMatch(line);
});

it('checkout: the HTML contains no date and no phone number', () => {
  expect(html).toMatch(/<bdi[^>]*data-fill="map\.phone"[^>]*><\/bdi>/);
  // The renewal days are placeholders until the edge fills them in; the comparison has the date of its source.
  const rest = words.replaceAll(renewals.renewal('quarter'), '').replace('November 2026', '');
  expect(rest).not.toMatch(/\b20\d\d\b/);
});

it('checkout: plans change after the offer only if other plans follow', () => {
  const monthly = viewOf(builtInCatalog.planOf('monthly', 'USD'));
  const both = htmlOf(
    <Checkout
      {...props}
      page={withCheckout({ plansAfterOffer: [monthly], offerExpires: true })}
      plans="row"
      primaryMethod="card"
    />,
  );
  expect(both).toContain('data-order="" data-need="app.offer-active"');
  expect(wordsOf(both)).toContain('Your order Geozilla · Monthly Change Today you pay $39.99');
  expect(html).toContain('data-order="">');
});

it('checkout: reserves space for wallets before the card, if wallets come first', () => {
  const row = htmlOf(<Checkout {...props} plans="row" primaryMethod="wallets" />);
  expect(row.indexOf('data-wallets')).toBeGreaterThan(-1);
  expect(row.indexOf('data-wallets')).toBeLessThan(row.indexOf('id="card"'));
});

it('checkout: the card form is closed if wallets come first, otherwise open', () => {
  const row = htmlOf(<Checkout {...props} plans="row" primaryMethod="wallets" />);
  const at = (mark: string) => row.indexOf(mark);
  expect(at('id="card-button"')).toBeLessThan(at('id="card"'));
  expect(row).toMatch(/class="[^"]*_closed[^"]*" id="card"/);
  expect(html).not.toMatch(/card-button|_closed/);
  const css = readFileSync('screens/parts/payment-section.module.css', 'utf8');
  expect(css).toContain(
    '.pay:has(x-island[name="reveal-card-form"]:is([data-buffered], :empty)) .closed',
  );
  // The link to it disappears at the same moment, so that the form does not move when React loads.
  expect(css).toMatch(
    /\.asks:has\(x-island:is\(\[data-buffered\], :empty\)\),\s+\.asks:has\(\+ :target, \+ \* :target\) \{\s+display: none/,
  );
});

it('checkout: wallets come before the card, and the buyer’s address takes their place if there are none', () => {
  const at = (mark: string) => html.indexOf(mark);
  expect(at('data-wallets')).toBeLessThan(at('Pay by card</h2>'));
  expect(at('Pay by card</h2>')).toBeLessThan(at('id="card"'));
  const css = readFileSync('screens/parts/payment-section.module.css', 'utf8');
  expect(css).toMatch(/\.wallets > \* \{\s+grid-area: 1 \/ 1/);
  expect(html).toMatch(/<p class="[^"]*_email[^"]*">.+?<bdi data-fill="signup\.email"/);
});

it('checkout: shows the test card of its provider', () => {
  const braintree = htmlOf(
    <Checkout {...props} plans="row" primaryMethod="card" provider="braintree" />,
  );
  expect([words, wordsOf(braintree)].map((text) => /Card ([\d ]{19})/.exec(text)?.[1])).toEqual([
    '4242 4242 4242 4242',
    '4111 1111 1111 1111',
  ]);
});

it.each([true, false])('checkout: forces Braintree and reserves space for its wallets', (open) => {
  const settings = withCheckout(open ? {} : { gateways: [] });
  const row = htmlOf(
    <Checkout
      {...props}
      page={settings}
      plans="row"
      primaryMethod="wallets"
      provider="braintree"
    />,
  );
  expect(row).toContain('&quot;provider&quot;:&quot;braintree&quot;');
  expect(row).toContain('data-wallets');
});

it('checkout: offers PayPal only where the page does', () => {
  const offered = (paypal: boolean) =>
    htmlOf(
      <Checkout
        {...props}
        page={withCheckout({ offersPayPal: paypal })}
        plans="row"
        primaryMethod="wallets"
        provider={null}
      />,
    ).includes('&quot;paypal&quot;:true');
  expect([offered(true), offered(false)]).toEqual([true, false]);
});

it('checkout: shows plans in a row as upright cards', () => {
  const row = htmlOf(<Checkout {...props} plans="row" primaryMethod="card" />);
  expect(row.match(/class="[^"]*_narrow/g)).toHaveLength(3);
  expect(html).not.toMatch(/class="[^"]*_narrow/);
});

it('checkout: nothing is between the heading, the number and the plans; what persuades is below them', () => {
  const order = [
    'Choose your plan',
    'Ready to ask',
    '$20.00 a month billed',
    'Every plan includes',
    'Your order',
    'Sample review',
    '100% money back if',
    'What happens to the number?',
  ].map((mark) => words.indexOf(mark));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

it('checkout: says what a link gives and what the app gives', () => {
  expect(words).toContain(
    'With a link, they share once. They’re asked by text, no app needed iPhone and Android together In the app, you both share live. Live location',
  );
});
