import * as v from 'valibot';
import { expect, test } from 'vitest';
import { renderEmail } from '../../../../worker/email/layout.ts';
import { defineTemplate, type Template } from '../../../../worker/email/template.ts';
import { templates } from '../../../../worker/email/templates/index.ts';
import { templateContext } from '../template-context.ts';

const context = templateContext('en');

const day = Date.UTC(2026, 10, 27);
const about = { plan: 'monthly_7d_usd', at: 0, timeZone: 'UTC' };

/** Data of each template, and the link or amount that the e-mail must show. */
const samples: Record<keyof typeof templates, { data: unknown; shows: string }> = {
  sign_in: { data: { code: 'c0de' }, shows: 'https://funnel.test/m#c0de' },
  app_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/d#c0de' },
  manage_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/manage#c0de' },
  cancel_link: { data: { code: 'c0de' }, shows: 'https://funnel.test/cancel#c0de' },
  bought: {
    data: { ...about, paid: 699, renews: day, withdraw: day },
    shows: 'https://funnel.test/cancel',
  },
  reminder: { data: { ...about, renews: day }, shows: 'https://funnel.test/cancel' },
  cancelled: { data: { ...about, ends: day }, shows: 'https://funnel.test/manage' },
  extra_ended: { data: { ...about, ends: day }, shows: 'https://funnel.test/manage' },
  confirm_payment: {
    data: { ...about, invoice: 'in_1', page: 'https://invoice.stripe.com/i/in_1' },
    shows: 'https://invoice.stripe.com/i/in_1',
  },
  resumed: { data: { ...about, renews: day }, shows: 'https://funnel.test/cancel' },
  withdrawn: { data: { ...about, back: 699 }, shows: '$6.99' },
  refunded: { data: { ...about, back: 699 }, shows: '$6.99' },
};

test.each(Object.entries(samples))(
  'e-mail template %s: text and HTML have all parts, and rendering is deterministic',
  async (name, sample) => {
    const { write } = templates[name as keyof typeof templates] as Template<unknown>;
    const content = write(context, sample.data);
    const { subject, text, html } = await renderEmail(content, context);
    for (const part of [...content.paragraphs, ...(content.footer ?? []), sample.shows]) {
      expect([text.includes(part), html.includes(part)]).toEqual([true, true]);
    }
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
