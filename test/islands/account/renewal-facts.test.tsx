import { expect, test } from 'vitest';
import type { RenewalCard } from '../../../islands/account/renewal-card.ts';
import { RenewalFacts } from '../../../islands/account/renewal-facts.tsx';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

const renewal: RenewalCard = {
  gateway: 'stripe',
  card: null,
  due: 3999,
  currency: 'USD',
  renewal: { price: 3999, period: 'month', at: null, later: null },
  next: null,
  overdue: true,
};

test.each([
  ['the late period', { since: Date.UTC(2027, 1, 1, 12) }, 'the period that began on February 1'],
  ['a new one', { since: null }, 'A full new period starts with this payment.'],
  ['nothing while it is unknown', {}, ''],
])('card page: the overdue amount pays for %s', (_period, since, words) => {
  const shown = wordsOf(
    htmlOf(
      <RenewalFacts
        text={text['update-card']}
        account={text['my-account']}
        language="en"
        renewal={{ ...renewal, ...since }}
      />,
    ),
  );
  expect(shown).toContain('$39.99 is overdue.');
  expect(/the period that began on \w+ \d+|A full new period.*$/.exec(shown)?.[0] ?? '').toBe(
    words,
  );
});
