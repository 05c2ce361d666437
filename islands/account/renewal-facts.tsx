import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { latin } from '../../locales/format/numerals.ts';
import type { IslandText } from '../../locales/index.ts';
import { cardLines } from './card-lines.ts';
import { FactList } from './fact-list.tsx';
import type { Fact } from './purchase-text.ts';
import styles from './purchases.module.css';
import type { RenewalCard } from './renewal-card.ts';

interface Props {
  text: IslandText['update-card'];
  account: Pick<IslandText['my-account'], 'card' | 'card_is' | 'card_expires' | 'next'>;
  language: string;
  renewal: RenewalCard;
}

/** The card, and what it pays next or has not paid. */
export function RenewalFacts({ text, account, language, renewal }: Props) {
  const { card, currency, next, since } = renewal;
  const due = renewal.due ?? 0;
  const { format: day } = new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long' });
  const nextCharge = next && !due && [money(next.amount, currency, language), day(next.at)];
  return (
    <section className={`card stack gap-8 ${styles.renewal}`}>
      <FactList
        facts={[
          [account.card, card ? cardLines(account, card, language) : [text.no_card]],
          ...(nextCharge ? [[account.next, nextCharge] satisfies Fact] : []),
        ]}
        gap="gap-8"
      />
      {due > 0 && (
        <>
          <p className="error">
            {interpolate(text.overdue, { sum: money(due, currency, language) })}
          </p>
          {since !== undefined && (
            <p className="small">
              {since ? interpolate(text.pays_since, { date: day(since) }) : text.pays_anew}
            </p>
          )}
        </>
      )}
    </section>
  );
}
