import { useLayoutEffect, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import type { IslandText } from '../locales/index.ts';
import type { ReceiptView } from '../worker/payments/notices/receipt.ts';
import type { Card } from '../worker/payments/purchase/card-update.ts';
import type { SubscriptionView } from '../worker/payments/subscriptions/rules/purchase-view.ts';
import { purchaseWords } from './account/purchase-text.ts';
import { loadMyPurchases } from './account/purchases-api.ts';
import { ReceiptFacts } from './account/receipt-facts.tsx';
import { loadCard } from './account/renewal-card.ts';
import { reportUnexpected } from './account/report-unexpected.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { showResult } from './account/show-result.ts';
import { codeInUrl, watchUrlCode } from './app-link/url-code.ts';
import styles from './receipt.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Spinner } from './ui/spinner.tsx';

interface Props {
  /** The seller's name, address and numbers. */
  seller: readonly string[];
  text: IslandText['receipt'] & { tax: string; seller: string };
  account: IslandText['my-account'];
  language: string;
}

type State = 'waiting' | 'signed_out' | 'failed' | 'none' | 'shown';

interface Shown {
  receipt: ReceiptView;
  subscription: SubscriptionView | undefined;
  card: Card | null;
  /** The buyer's e-mail. */
  buyer: string;
}

/** The receipt named in the URL's fragment, for the signed-in owner only. */
export default function Receipt({ seller, text, account, language }: Props) {
  const [state, setState] = useState<State>('waiting');
  const [shown, setShown] = useState<Shown | null>(null);

  const load = async (id: string) => {
    setState('waiting');
    const found = await loadMyPurchases();
    if (found.kind !== 'loaded') return setState(found.kind);
    const receipt = found.receipts.find((one) => one.id === id);
    if (!receipt) return setState('none');
    const { attempt, savedMethodAt } = receipt;
    const saved = savedMethodAt && (await loadCard().catch(reportUnexpected));
    const card = saved && saved.gateway === savedMethodAt ? saved.card : null;
    const subscription = found.subscriptions.find((one) => one.attempt === attempt);
    setShown({ receipt, subscription, card, buyer: found.email });
    setState('shown');
  };
  useOnHydrate(() => watchUrlCode(load));
  // If there is no such receipt, the title says so.
  useLayoutEffect(() => {
    if (state === 'none') return showResult();
  }, [state]);

  if (state === 'waiting') {
    return (
      <p className="row gap-12 soft" role="status" data-waits="">
        <Spinner />
        {text.waiting}
      </p>
    );
  }
  if (state === 'signed_out')
    return <RequestSignInLink text={account} hint={account.signed_out} purpose="manage" />;
  if (state === 'failed') {
    return (
      <div className="stack gap-16">
        <p role="alert">{text.failed}</p>
        <ContinueButton label={account.retry} type="button" onClick={() => load(codeInUrl())} />
      </div>
    );
  }
  const purchases = (
    <a className="link-outlined not-printed" href="/manage" data-navigate="">
      {account.see}
    </a>
  );
  if (state === 'none' || !shown) {
    return (
      <div className={`stack gap-8 ${styles.none}`} data-none="">
        <p className="lead" role="status">
          {text.none}
        </p>
        <a className="link-filled" href="/manage" data-navigate="">
          {account.see}
        </a>
        <a className="link-plain" href="/support">
          {account.ask}
        </a>
      </div>
    );
  }
  const words = purchaseWords(account, language);
  const { next, withdraw } = shown.subscription ?? {};
  const last = withdraw && words.day(withdraw.last, { timeZone: 'UTC' });
  return (
    <div className={`stack gap-16 ${styles.shown}`} data-receipt="">
      <ReceiptFacts
        words={words}
        text={text}
        receipt={shown.receipt}
        card={shown.card}
        buyer={shown.buyer}
        seller={seller}
      />
      {next && <p className="note">{text.cancel}</p>}
      {last && <p className="note">{interpolate(text.withdraw, { date: last })}</p>}
      <div className={`not-printed ${styles.buttons}`}>
        <ContinueButton label={text.print} type="button" onClick={() => print()} />
        {purchases}
      </div>
    </div>
  );
}
