import { expect, test } from 'vitest';
import { layOut } from '../../../worker/mail/layout.ts';
import type { Template } from '../../../worker/mail/letter.ts';
import { letters } from '../../../worker/mail/letters.ts';
import { wordsOf } from '../../../worker/text.ts';

const desk = {
  t: wordsOf('en').mails,
  language: 'en',
  site: 'https://funnel.test',
  support: 'help@funnel.test',
};

const day = Date.UTC(2026, 10, 27);
const about = { plan: 'monthly_7d_usd', at: 0, timeZone: 'UTC' };

/** What each letter is told, and where it leads. */
const samples: Record<keyof typeof letters, { data: unknown; leads: string }> = {
  sign_in: { data: { code: 'c0de' }, leads: 'https://funnel.test/m#c0de' },
  app_link: { data: { code: 'c0de' }, leads: 'https://funnel.test/d#c0de' },
  manage_link: { data: { code: 'c0de' }, leads: 'https://funnel.test/manage#c0de' },
  cancel_link: { data: { code: 'c0de' }, leads: 'https://funnel.test/cancel#c0de' },
  bought: {
    data: { ...about, paid: 699, renews: day, withdraw: day },
    leads: 'https://funnel.test/cancel',
  },
  reminder: { data: { ...about, renews: day }, leads: 'https://funnel.test/cancel' },
  cancelled: { data: { ...about, ends: day }, leads: 'https://funnel.test/manage' },
  extra_ended: { data: { ...about, ends: day }, leads: 'https://funnel.test/manage' },
  confirm_payment: {
    data: { ...about, invoice: 'in_1', page: 'https://invoice.stripe.com/i/in_1' },
    leads: 'https://invoice.stripe.com/i/in_1',
  },
  resumed: { data: { ...about, renews: day }, leads: 'https://funnel.test/cancel' },
  withdrawn: { data: { ...about, back: 699 }, leads: '$6.99' },
  refunded: { data: { ...about, back: 699 }, leads: '$6.99' },
};

test.each(Object.entries(samples))(
  '%s says all of it in text and in HTML',
  async (name, sample) => {
    const { write } = letters[name as keyof typeof letters] as Template<unknown>;
    const letter = write(desk, sample.data);
    const { subject, text, html } = await layOut(letter, desk);
    for (const part of [...letter.paragraphs, ...(letter.small ?? []), sample.leads]) {
      expect([text.includes(part), html.includes(part)]).toEqual([true, true]);
    }
    expect(subject).toMatch(/^[^!\r\n]{5,60}$/);
    expect(`${text}${html}`).not.toContain('{{');
    expect(write(desk, sample.data)).toEqual(letter);
  },
);
