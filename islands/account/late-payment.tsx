import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { depth } from '../runtime/navigation/back-button.ts';
import { writeHandover } from '../runtime/storage/handover.ts';
import type { PurchaseWords } from './purchase-text.ts';

export function LatePayment({
  words: { text, day },
  subscriptions,
}: {
  words: PurchaseWords;
  subscriptions: readonly SubscriptionView[];
}) {
  const [first] = subscriptions
    .filter(({ todo }) => todo === 'update_card')
    .toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0));
  if (!first?.until) return null;
  const words = first.until > Date.now() ? text.late_until : text.late_over;
  return (
    <section className="card stack gap-12">
      <h2 className="title danger">{text.late_title}</h2>
      <p>{interpolate(words, { date: day(first.until) })}</p>
      <a className="link-filled" href="/manage/card" onClick={() => writeHandover(depth())}>
        {text.late_action}
      </a>
    </section>
  );
}
