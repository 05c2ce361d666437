import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import AppHandoff from '../../islands/app-handoff.tsx';
import AutoSignupForm from '../../islands/auto-signup-form.tsx';
import CardForm from '../../islands/card-form.tsx';
import ConsentBanner from '../../islands/consent-banner.tsx';
import EmailForm from '../../islands/email-form.tsx';
import GoogleButton from '../../islands/google-button.tsx';
import OwnedExtras from '../../islands/owned-extras.tsx';
import PhoneForm from '../../islands/phone-form.tsx';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import RevealCheckout from '../../islands/reveal-checkout.tsx';
import SearchProgress from '../../islands/search-progress.tsx';
import SignInLink from '../../islands/sign-in-link.tsx';
import UpsellOffer from '../../islands/upsell-offer.tsx';
import { htmlOf, intro, quarterly, text, upsell, wordsOf } from './render-html.tsx';

const hosts = ['gmail.com', 'yahoo.com', 'outlook.com'];
const germany = { code: 'DE', name: 'Germany', calling: '49', example: '01512 3456789' };
const emailForm = (shortcuts: string[]) =>
  htmlOf(<EmailForm text={text['email-form']} action="/signup" shortcuts={shortcuts} />);
const phoneForm = htmlOf(
  <PhoneForm text={text['phone-form']} action="/one_pager" country={germany} />,
);
const searching = htmlOf(<SearchProgress text={text['search-progress']} action="/searching" />);
const google = htmlOf(
  <GoogleButton text={text['google-button']} clientId="client" vendors="" language="en" />,
);
const revealCheckout = htmlOf(
  <RevealCheckout text={{ go: 'Continue to payment', card: 'Pay by card' }} sectionId="pay" />,
);
const cardForm = (test: boolean, orderButton: 'pay' | 'order') =>
  htmlOf(
    <CardForm
      text={{
        ...text['card-form'],
        secure: 'We never see them.',
        by: 'Payments by',
        bank: '',
        other: '',
      }}
      likely="stripe"
      plans={[intro, quarterly]}
      language="en"
      vendors=""
      test={test}
      orderButton={orderButton}
    />,
  );
const upsellOffer = (_test: boolean, orderButton: 'pay' | 'order') =>
  htmlOf(
    <UpsellOffer
      text={{ ...text['upsell-offer'], refused: '' }}
      card={{ ...text['card-form'], secure: '', by: '', bank: '' }}
      stripe={{ key: '', name: '' }}
      plan={upsell}
      every="every month"
      language="en"
      vendors=""
      next="/success"
      orderButton={orderButton}
    />,
  );
const noStores = { apple: '', google: '', scheme: '' };
const handoff = htmlOf(
  <AppHandoff text={text['app-handoff']} badges={text['open-app']} stores={noStores} />,
);

/** The HTML as sent by the edge, before any script: its text, and patterns that it must and must not match. */
it.each<[behaviour: string, html: string, words: string, has: RegExp[], lacks?: RegExp]>([
  [
    'auto sign-up: is pending at first and offers a retry',
    htmlOf(<AutoSignupForm text={text['auto-signup-form']} />),
    'Make a test account',
    [/aria-disabled="true"/],
  ],
  [
    'consent banner: is empty until the choice is known',
    htmlOf(<ConsentBanner text={text['consent-banner']} consentRequired cookiePolicy="/cookies" />),
    '',
    [/^$/],
  ],
  [
    'owned extras: is empty until the purchases load',
    htmlOf(<OwnedExtras text={text['owned-extras']} />),
    '',
    [/^$/],
  ],
  [
    'reveal card form: is a link without JavaScript, and not the Continue button',
    htmlOf(<RevealCardForm label="Pay by card" labelAlone="Continue" sectionId="card" />),
    'Pay by card Continue',
    [/<a[^>]*id="card-button"[^>]*href="#card"/],
  ],
  [
    'reveal checkout: is the Continue button, a link without JavaScript that does not navigate',
    revealCheckout,
    'Continue to payment',
    [/<a[^>]*id="continue-button"[^>]*href="#pay"/],
    /data-navigate/,
  ],
  [
    'sign-in link page: shows that the link is being opened, without actions',
    htmlOf(<SignInLink text={text['sign-in-link']} request={text['my-account']} hint="" />),
    'Opening your link',
    [],
    /<a |<button/,
  ],
  [
    'search progress: lists its steps, shows no unverified result, continues without JavaScript',
    searching,
    'Reading the number Identifying the carrier Checking the region Preparing the invitation Continue',
    [/<form[^>]* action="\/searching" method="post"/],
    /aria-busy/,
  ],
  [
    'google button: renders a divider and one button that submits and loads nothing',
    google,
    'or Continue with Google',
    [/^(?:(?!<button).)*<button[^>]*type="button"(?:(?!<button).)*$/],
    /<script|<iframe|<link|accounts\.google/,
  ],
])('first HTML: %s', (_behaviour, html, words, has, lacks) => {
  expect(wordsOf(html)).toBe(words);
  for (const part of has) expect(html).toMatch(part);
  if (lacks) expect(html).not.toMatch(lacks);
});

it('google button: reserves its space, and is hidden without JavaScript', () => {
  const css = readFileSync('islands/google-button.module.css', 'utf8');
  expect(css).toMatch(/\.box \{[^}]*inline-size: min\(100%, 343px\);[^}]*block-size: 56px;/);
  expect(css).toMatch(/\.theirs \{[^}]*position: absolute;/);
  expect(css).toMatch(/scripting: none\) \{\s*\.social \{\s*display: none;/);
});

it('app handoff: reserves the QR code, has no link before it loads, and hides the other ways', () => {
  expect(wordsOf(handoff)).toContain('Preparing your link Download the app Other ways');
  expect(handoff).not.toMatch(/href=|<dialog|<details open/);
  const [first = '', line] = handoff.split(/<summary|<\/summary>/);
  expect(first.match(/<a |<button/g)).toHaveLength(1);
  expect(wordsOf(`<summary${line}`)).toBe('Other ways to open the app');
  expect(line).toBeDefined();
});

describe('forms without JavaScript', () => {
  it.each([
    [
      'e-mail form',
      emailForm(hosts),
      '/signup',
      ['name="email"', 'type="email"', 'autoComplete="email"'],
    ],
    [
      'phone form',
      phoneForm,
      '/one_pager',
      [
        'name="phone"',
        'type="tel"',
        'autoComplete="tel"',
        'dir="ltr"',
        'placeholder="01512 3456789"',
      ],
    ],
  ])('%s: posts to its own page, with an uncontrolled field', (_form, html, action, attributes) => {
    expect(html).toContain(`action="${action}" method="post"`);
    expect(html).toMatch(/<button[^>]*id="continue-button"[^>]*type="submit"/);
    const [input = ''] = /<input[^>]*>/.exec(html) ?? [];
    for (const attribute of attributes) expect(input).toContain(attribute);
    expect(input).not.toContain('value=');
  });

  it('phone form: has the visitor’s country, and reserves the line of its error', () => {
    expect(phoneForm).toContain(
      '<option value="DE" selected="">Germany (\u2066+49\u2069)</option>',
    );
    expect(phoneForm).toContain('aria-describedby="phone-error"');
    expect(phoneForm).toMatch(/<p[^>]*id="phone-error" role="alert"><\/p>/);
  });

  it('card form: has containers for the provider fields and no card field of its own', () => {
    const html = cardForm(false, 'pay');
    for (const field of ['number', 'expiry', 'cvc']) expect(html).toContain(`data-card="${field}"`);
    const inputs = html.match(/<input[^>]*>/g) ?? [];
    expect(inputs).toEqual([expect.stringContaining('autoComplete="cc-name"')]);
    expect(inputs[0]).not.toMatch(/ name=| value=/);
  });

  it('card form: has a line for a field’s error below the fields, and space above the button', () => {
    const at = (mark: string) => cardForm(false, 'pay').indexOf(mark);
    const fields = ['number', 'expiry', 'cvc'];
    const marks = [
      ...fields.map((field) => `data-card="${field}"`),
      'id="card-error" role="alert"',
    ];
    const places = [...marks, 'We never see them.', 'id="continue-button"'].map(at);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('card form: shows the test card outside production only', () => {
    expect(cardForm(true, 'pay')).toContain('Test mode');
    expect(cardForm(false, 'pay')).not.toContain('Test mode');
  });

  it.each([
    ['card form', cardForm, 'Pay $6.99', 'Today you pay $6.99 Buy now'],
    ['upsell', upsellOffer, 'Add for $7.99 every month', 'Buy now'],
  ] as const)(
    '%s: the button’s label states the amount as the market requires',
    (_, of, pay, order) => {
      expect(wordsOf(of(false, 'pay'))).toContain(pay);
      expect(wordsOf(of(false, 'order'))).toContain(order);
    },
  );

  it('upsell: can be declined without JavaScript', () => {
    expect(upsellOffer(false, 'pay')).toMatch(/<a[^>]*href="\/success"[^>]*>No thanks<\/a>/);
  });
});
