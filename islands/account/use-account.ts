import { useState } from 'react';
import type { CancelOffers } from '../../worker/catalog/rules/cancel-offers.ts';
import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { putCodeInUrl, watchUrlCode } from '../app-link/url-code.ts';
import { errorCode } from '../runtime/api.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import type { AccountText } from './cancel-text.ts';
import type { GateState, InspectedLink } from './link-gate.tsx';
import { guaranteedNow, loadMyPurchases } from './purchases-api.ts';
import { loadCard, type RenewalCard } from './renewal-card.ts';
import { reportUnexpected } from './report-unexpected.ts';
import { inspectSignInLink, openSignInLink } from './sign-in-link.ts';

type AccountState = 'waiting' | GateState | 'shown' | 'done' | 'deleted';

/** What the page shows besides the subscriptions. */
interface Details {
  /** Attempts whose payment can be claimed back now. */
  guaranteed: readonly string[];
  renewal: RenewalCard | null;
  receipts: readonly ReceiptView[];
  /** The signed-in buyer's. */
  email: string;
  offers: CancelOffers | null;
  /** Whether another product may manage purchases with this e-mail. */
  elsewhere: boolean;
}

const noDetails: Details = {
  guaranteed: [],
  renewal: null,
  receipts: [],
  email: '',
  offers: null,
  elsewhere: false,
};

async function refundsAndCard(): Promise<Pick<Details, 'guaranteed' | 'renewal'>> {
  const loadingCard = loadCard().catch(reportUnexpected);
  const [guaranteed, renewal] = await Promise.all([guaranteedNow(), loadingCard]);
  return { guaranteed, renewal: renewal ?? null };
}

/** Opens the account with an e-mailed link or the session, and loads its purchases. */
export function useAccount(text: AccountText, mode: 'manage' | 'cancel') {
  const [state, setState] = useState<AccountState>('waiting');
  const [message, setMessage] = useState('');
  const [link, setLink] = useState<InspectedLink | null>(null);
  const [subscriptions, setSubscriptions] = useState<SubscriptionView[]>([]);
  const [details, setDetails] = useState(noDetails);

  const load = async (code = '') => {
    setState('waiting');
    setMessage('');
    try {
      if (code) await openSignInLink(code);
      putCodeInUrl('');
    } catch (refused) {
      reportUnexpected(refused);
      if (!errorCode(refused)?.startsWith('sign_in_link')) return setState('failed');
      putCodeInUrl('');
      setMessage(text.link_over);
    }
    const found = await loadMyPurchases();
    if (found.kind !== 'loaded') return setState(found.kind);
    const { subscriptions: owned, offers, receipts, email, elsewhere = false } = found;
    const more = mode === 'manage' && owned.length > 0 ? await refundsAndCard() : {};
    setDetails((before) => ({ ...before, ...more, offers, receipts, email, elsewhere }));
    setSubscriptions(owned);
    setState('shown');
  };
  /** Inspects the link; asks for confirmation when it opens another account. */
  const inspect = async (code: string) => {
    if (!code) return load();
    setState('waiting');
    try {
      const inspection = await inspectSignInLink(code);
      setLink({ ...inspection, code });
      if (inspection.state === 'ready' && !inspection.mine) return setState('confirming');
    } catch (error) {
      reportUnexpected(error);
      return setState('failed');
    }
    return load(code);
  };
  useOnHydrate(() => watchUrlCode(inspect));

  return {
    state,
    setState,
    message,
    setMessage,
    link,
    subscriptions,
    setSubscriptions,
    details,
    load,
    inspect,
  };
}
