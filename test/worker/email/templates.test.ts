import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { loadEnglish, translationsFor } from '../../../worker/content/translations.ts';
import { renderEmail } from '../../../worker/email/layout.ts';
import { defineTemplate, type Template } from '../../../worker/email/template.ts';
import { templates } from '../../../worker/email/templates/index.ts';
import {
  appLink,
  cancelLink,
  confirmEmail,
  manageLink,
  signIn,
} from '../../../worker/email/templates/link-emails.ts';
import {
  formatAmount,
  longDay,
  moneyFields,
  supportLine,
} from '../../../worker/email/templates/money-fields.ts';
import {
  purchaseConfirmation,
  refundEmail,
  withdrawal,
} from '../../../worker/email/templates/purchase-emails.ts';
import {
  cancellation,
  renewalReceipt,
  renewalReminder,
  resumption,
} from '../../../worker/email/templates/subscription-emails.ts';
import { planNamed } from '../payments/attempts/attempt-fixture.ts';
import { readLanguage } from '../read-language.ts';
import { moneyData, templateContext, week } from './email-fixture.ts';

await loadEnglish();

const context = templateContext('en');
const plain = (words: string) => words.replaceAll('\u00a0', ' ');
test.for([
  ['sign-in', signIn, '/m#c', /once.*15 minutes.*Didn’t ask/s],
  ['app link', appLink, '/d#c', /once.*24 hours.*yourself/s],
  ['manage link', manageLink, '/manage#c', /once.*15 minutes/s],
  ['cancel link', cancelLink, '/cancel#c', /once.*15 minutes/s],
] as const)(
  '%s e-mail: opens its page and says how long the link works',
  ([, email, path, limits]) => {
    const { action, footer } = email.write(context, { code: 'c' });
    expect(action?.href).toBe(`https://funnel.test${path}`);
    expect(footer?.join(' ')).toMatch(limits);
    expect(v.is(email.data, {})).toBe(false);
  },
);

test('renewal reminder: states the price and the date, and links to cancelling', () => {
  const { subject, paragraphs, action } = renewalReminder.write(context, {
    ...moneyData,
    renews: week,
  });
  expect(subject).toBe('Your plan renews on November 27, 2026');
  expect(paragraphs[0]).toContain('ends on November 27, 2026. From then on, we charge $39.99');
  expect(action?.href).toBe('https://funnel.test/cancel');
});

test('cancellation e-mail: states when it was requested and when the plan ends', () => {
  expect(cancellation.write(context, { ...moneyData, ends: week }).paragraphs).toEqual([
    'We received your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'It stays active until November 27, 2026, then it ends.',
    'It won’t renew, and you won’t be charged again.',
  ]);
});

test('cancellation e-mail: states no end date if none is known', () =>
  expect(cancellation.write(context, { ...moneyData, ends: null }).paragraphs).toHaveLength(2));

test('resumption e-mail: states the next charge and how to cancel', () => {
  const paragraphsOf = (id: string, coupon: string | null = null) =>
    resumption.write(context, { ...moneyData, plan: planNamed(id), coupon, renews: week })
      .paragraphs;
  expect(paragraphsOf('monthly_7d_usd')).toEqual([
    'You reversed your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'From November 27, 2026, you pay $39.99 every month until you cancel.',
    expect.stringContaining('Cancel anytime'),
  ]);
  expect(paragraphsOf('quarterly_usd')[1]).toContain('$59.99 every 3\u00a0months');
  expect(paragraphsOf('upsell_monthly_999_usd', 'UPSELL30')[1]).toContain('$6.99 every month');
});

test("e-mail amounts: a day is written in full, in the buyer's time zone", () => {
  const eve = Date.parse('2026-12-31T23:30Z');
  expect(longDay(eve, 'en', 'UTC')).toBe('December 31, 2026');
  expect(longDay(eve, 'de', 'Europe/Berlin')).toBe('1. Januar 2027');
  expect(longDay(eve, 'ar', 'UTC')).toBe('31 ديسمبر 2026');
});

test('e-mail amounts: an amount has the currency of its plan', () =>
  expect(formatAmount(699, planNamed('monthly_7d_eur'), 'de')).toBe('6,99\u00a0€'));

test('e-mail amounts: the support line needs a support address', () => {
  const context = { t: translationsFor('en').mails, language: 'en', site: 's', brand: '' };
  expect(supportLine({ ...context, support: '' })).toEqual([]);
  expect(supportLine({ ...context, support: 'a@b.test' })).toEqual([
    'Questions? Write to a@b.test.',
  ]);
});

test('e-mail amounts: the schema refuses an unknown plan', () => {
  const data = { plan: 'monthly_nok', at: 0, timeZone: 'UTC' };
  expect(v.is(v.object(moneyFields), data)).toBe(false);
  expect(v.is(v.object(moneyFields), { ...data, plan: 'monthly_usd' })).toBe(true);
});

beforeAll(() => readLanguage('de'));
test('purchase confirmation: states the price now, the renewal price and how to cancel', () => {
  const data = { ...moneyData, paid: 699, renews: week, withdraw: null };
  const content = purchaseConfirmation.write(templateContext('en'), data);
  const { sum, facts, paragraphs, action, footer } = content;
  expect(sum).toEqual(['Paid on November 20, 2026', '$6.99']);
  expect(facts).toEqual([
    ['Purchase', 'Monthly plan, 7-day intro'],
    ['Period paid for', 'Nov 20 – 27, 2026'],
  ]);
  expect(paragraphs).toEqual([
    'From November 27, 2026, you pay $39.99 every month until you cancel.',
    'Cancel anytime: two clicks, no call. You keep the days you paid for.',
  ]);
  expect(action?.label).toBe('Ask them now');
  expect(footer).toEqual([
    { label: 'See your purchases', href: action?.href },
    { label: 'Cancel plan', href: 'https://funnel.test/cancel' },
    'Questions? Write to help@funnel.test.',
  ]);
});

test('receipts: name the seller and the number, say that taxes are included, and link to the page to print', () => {
  const about = { ...moneyData, receipt: 'pi_1', taxIncluded: true };
  const facts = { ...templateContext('en'), seller: 'Funnel Ltd, 1 High Street' };
  const lines = [
    'Payment reference: pi_1',
    { label: 'View the receipt', href: 'https://funnel.test/manage/receipt#pi_1' },
    'Questions? Write to help@funnel.test.',
  ];
  const cancel = { label: 'Cancel plan', href: 'https://funnel.test/cancel' };
  const paid = { ...about, paid: 699, renews: week };
  const mails = [
    purchaseConfirmation.write(facts, { ...paid, withdraw: null }),
    renewalReceipt.write(facts, paid),
    refundEmail.write(facts, { ...about, back: 699 }),
  ];
  expect(mails.map(({ footer }) => footer)).toEqual([
    [...lines.slice(0, -1), mails[0]?.footer?.[2], cancel, lines.at(-1)],
    lines,
    lines,
  ]);
  for (const fact of [
    ['Tax', 'Included'],
    ['Seller', facts.seller],
  ])
    for (const mail of mails) expect(mail.facts).toContainEqual(fact);
});

test('receipts: state net, tax and total where the tax is known, also of a refund and in yen', () => {
  const facts = templateContext('en');
  const about = {
    ...moneyData,
    plan: planNamed('monthly_eur'),
    receipt: 'pi_1',
    taxIncluded: true,
  };
  const paid = { ...about, paid: 3999, tax: 638, renews: week };
  const on = 'Paid on November 20, 2026';
  const mails = [
    purchaseConfirmation.write(facts, { ...paid, withdraw: null }),
    renewalReceipt.write(facts, paid),
    refundEmail.write(facts, { ...about, back: 1000, tax: 160 }),
    renewalReceipt.write(facts, { ...paid, plan: planNamed('monthly_jpy'), paid: 5980, tax: 544 }),
    renewalReceipt.write(facts, { ...paid, tax: 0 }),
  ];
  const sums = ({ sum = ['', ''], facts = [] }: (typeof mails)[number]) => [
    sum,
    ...facts.filter(([label]) => label === 'Net' || label === 'Tax'),
  ];
  expect(mails.map((mail) => sums(mail).flat().join(' '))).toEqual([
    ...Array(2).fill(`${on} €39.99 Net €33.61 Tax €6.38`),
    'Total €10.00 Net €8.40 Tax €1.60',
    `${on} ¥5,980 Net ¥5,436 Tax ¥544`,
    `${on} €39.99 Net €39.99 Tax €0.00`,
  ]);
});

test('confirmation e-mail: has the code large and in its subject, and a button for another screen', async () => {
  const content = confirmEmail.write(context, { code: 'c', digits: '012345' });
  expect(content.subject).toBe('012345 is your code');
  expect(content.action?.href).toBe('https://funnel.test/m#c');
  const { html, text } = await renderEmail(content, context);
  expect(html).toMatch(/<h1 [^>]*>Confirm your email<.*>012345<\/p>/s);
  expect(text).toContain('\n\n012345\n\n');
});

test('purchase confirmation: states the legal right of withdrawal with its last day', () => {
  const data = {
    ...moneyData,
    plan: planNamed('quarterly_eur'),
    paid: 5999,
    renews: week,
    withdraw: Date.UTC(2026, 11, 4),
    code: null,
  };
  const { paragraphs, footer } = purchaseConfirmation.write(templateContext('de'), data);
  expect(paragraphs[0]).toContain(
    'Ab dem 27. November 2026 zahlst du 59,99\u00a0€ alle 3\u00a0Monate',
  );
  expect(footer?.[0]).toContain(
    'bis einschließlich 4. Dezember 2026 ohne Angabe von Gründen widerrufen',
  );
});

test('purchase confirmation: a one-time payment says so and offers nothing to cancel', () => {
  const data = {
    ...moneyData,
    plan: planNamed('guide_1799_usd'),
    paid: 1799,
    renews: null,
    withdraw: null,
    code: null,
  };
  const { paragraphs, action } = purchaseConfirmation.write(templateContext('en'), data);
  expect(paragraphs).toEqual(['This is a one-time payment. It does not renew.']);
  expect(action?.href).toBe('https://funnel.test/manage');
});

test("purchase confirmation: the plan's own coupon lowers the price and each renewal", () => {
  const upsell = {
    ...moneyData,
    plan: planNamed('upsell_monthly_999_usd'),
    paid: 699,
    renews: week,
    withdraw: null,
    code: null,
  };
  const paragraphsWith = (coupon: string | null) =>
    purchaseConfirmation.write(templateContext('en'), { ...upsell, coupon }).paragraphs;
  expect(paragraphsWith('UPSELL30').slice(0, 2)).toEqual([
    'That is 30% off $9.99, on every payment.',
    'From November 27, 2026, you pay $6.99 every month until you cancel.',
  ]);
  expect(paragraphsWith(null)[0]).toContain('you pay $9.99 every month');
});

test('refund e-mail: states the amount, the day and the product', () => {
  const { paragraphs } = refundEmail.write(templateContext('en'), { ...moneyData, back: 500 });
  expect(paragraphs[0]).toBe('We refunded $5.00 on November 20, 2026: Monthly plan, 7-day intro.');
  const part = refundEmail.write(templateContext('en'), { ...moneyData, back: 500, partOf: 699 });
  expect(part.paragraphs[1]).toBe('This is part of the $6.99 you paid. Your plan goes on.');
});

test('withdrawal e-mail: states the day of the withdrawal and the refund', () => {
  const data = { ...moneyData, back: 699, claimed: false };
  const { paragraphs } = withdrawal.write(templateContext('en'), data);
  expect(paragraphs[0]).toContain('withdrawal on November 20, 2026: Monthly plan, 7-day intro.');
  expect(paragraphs[1]).toContain('We are refunding $6.99');
});

test('withdrawal e-mail: a claim under the guarantee is not called a withdrawal', () => {
  const data = { ...moneyData, back: 4698, claimed: true };
  const { subject, paragraphs } = withdrawal.write(templateContext('en'), data);
  expect(subject).toBe('We received your refund claim');
  expect(paragraphs[0]).toContain('under our guarantee on November 20, 2026');
  expect(paragraphs.join(' ')).not.toContain('withdrawal');
});

const content = {
  subject: 'A & B',
  paragraphs: ['One <b>', 'Two'],
  action: { label: 'Go', href: 'https://x.test/?a="b"' },
};

test('e-mail layout: HTML escapes texts and links', async () => {
  const { html } = await renderEmail(content, { language: 'en', brand: 'Geozilla', seller: '' });
  expect(html).toContain('One &lt;b&gt;');
  expect(html).toContain('href="https://x.test/?a=&quot;b&quot;"');
  expect(html).toContain('<title>A &amp; B</title>');
});

test('e-mail layout: the plain text has all parts in the same order', async () => {
  const { text } = await renderEmail(content, { language: 'en', brand: 'Geozilla', seller: '' });
  expect(text).toBe('One <b>\n\nTwo\n\nGo:\nhttps://x.test/?a="b"\n');
});

test('e-mail layout: HTML loads nothing from a host and sets the text direction', async () => {
  const { html } = await renderEmail(
    { ...content, action: undefined },
    { language: 'ar', brand: 'Geozilla', seller: '' },
  );
  expect(html).toContain('dir="rtl"');
  expect(html).not.toMatch(/https?:|<img|<link|<script/);
});

const day = Date.UTC(2026, 10, 27);
const about = { plan: planNamed('monthly_7d_usd'), at: 0, timeZone: 'UTC' };
const next = { amount: 4999, at: day };
const raised = { ...about, attempt: 'a', step: 'asked', before: 3999, renews: day, next };
/** Data of each template, and the link or amount that the e-mail must show. */
const samples: Record<keyof typeof templates, { data: unknown; shows: string }> = {
  sign_in: { data: { code: 'c0de' }, shows: 'https://funnel.test/m#c0de' },
  confirm_email: {
    data: { code: 'c0de', digits: '012345' },
    shows: 'https://funnel.test/m#c0de',
  },
  app_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/d#c0de' },
  manage_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/manage#c0de' },
  cancel_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/cancel#c0de' },
  purchase_confirmation: {
    data: { ...about, paid: 699, renews: day, withdraw: day },
    shows: 'https://funnel.test/cancel',
  },
  renewal_reminder: { data: { ...about, renews: day }, shows: 'https://funnel.test/cancel' },
  price_raise: { data: raised, shows: '$49.99' },
  cancellation: { data: { ...about, ends: day }, shows: 'https://funnel.test/manage' },
  extra_ended: { data: { ...about, ends: day }, shows: 'https://funnel.test/manage' },
  debit_processing: { data: { ...about, amount: 699, waits: false }, shows: '$6.99' },
  debit_failed: { data: { ...about, amount: 699 }, shows: '$6.99' },
  payment_confirmation: {
    data: { ...about, invoice: 'in_1', page: 'https://invoice.stripe.com/i/in_1' },
    shows: 'https://invoice.stripe.com/i/in_1',
  },
  renewal_failed: {
    data: { ...about, attempt: 'a', step: 'failed', amount: 3999, until: day, code: 'c0de' },
    shows: 'https://funnel.test/manage/card#c0de',
  },
  card_expires: {
    data: { ...about, attempt: 'a', card: 'Visa 4242', year: 2026, month: 12, code: 'c0de' },
    shows: 'https://funnel.test/manage/card#c0de',
  },
  renewal_receipt: {
    data: { ...about, paid: 3999, renews: day },
    shows: 'https://funnel.test/cancel',
  },
  resumption: { data: { ...about, renews: day }, shows: 'https://funnel.test/cancel' },
  plan_change: {
    data: {
      ...about,
      ...{
        plan: planNamed('quarterly_usd'),
        kind: 'upgrade',
        paid: 3866,
        credit: 2133,
        until: null,
      },
      ...{ takesEffectAt: 0, next: { amount: 5999, at: day }, receipt: 'pi_38' },
    },
    shows: 'https://funnel.test/manage/receipt#pi_38',
  },
  pause_reminder: { data: { ...about, renews: day }, shows: 'https://funnel.test/cancel' },
  withdrawal: { data: { ...about, back: 699 }, shows: '$6.99' },
  refund: { data: { ...about, back: 699 }, shows: '$6.99' },
  invitation_answer: {
    data: { answer: 'yes', number: '89', duration: 'day' },
    shows: 'https://funnel.test/manage',
  },
};

test.for(Object.entries(samples))(
  'e-mail template %s: text and HTML have all parts, and rendering is deterministic',
  async ([name, sample]) => {
    const { write } = templates[name as keyof typeof templates] as Template<unknown>;
    const content = write(context, sample.data);
    const { subject, text, html } = await renderEmail(content, context);
    const end = (content.footer ?? []).flatMap((part) =>
      typeof part === 'string' ? part : [part.label, part.href],
    );
    const facts = [content.sum ?? [], content.facts ?? []].flat(2);
    for (const part of [...content.paragraphs, ...facts, ...end, sample.shows])
      for (const words of [text, html]) expect(plain(words)).toContain(plain(part));
    expect(subject).toMatch(/^[^!\r\n]{5,60}$/);
    expect(`${text}${html}`).not.toContain('{{');
    expect(write(context, sample.data)).toEqual(content);
  },
);
test('e-mail templates: the schema types the data', () => {
  const data = v.object({});
  const template = defineTemplate({
    data,
    // @ts-expect-error the schema has no such field
    write: (_, { name }) => ({ subject: name, paragraphs: [] }),
  });
  expect(template.data).toBe(data);
});
