import { useRef, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { RefusalReason } from '../checkout/way-forward.ts';
import { randomId } from '../stores/visitor-uuid.ts';
import type { Provider } from '../vendors/payment-provider.ts';
import { saveCard } from './save-card.ts';

interface Saving {
  text: IslandText['update-card'];
  form: IslandText['card-form'];
  bearer: string;
  /** The open amount that the buyer agrees to pay. */
  due: number;
  explain: (error: unknown) => Pick<RefusalReason, 'message'> | null;
  /** @param paid whether the open amount was paid */
  onSaved: (paid: boolean) => Promise<void>;
  /** Something failed, but the card may have been saved. */
  onUnpaid: () => Promise<void>;
}

/** Saves one card at a time and pays the open amount with it. */
export function useCardSaving({ text, form: words, bearer, due, explain, ...then }: Saving) {
  const [failure, setFailure] = useState('');
  const [pending, setPending] = useState(false);
  const busy = useRef(false);
  const key = useRef('');

  const send = async (provider: Provider, nonce: string, deviceData?: string) => {
    // A retry after a lost reply or a failure of the server has the same key.
    key.current ||= randomId();
    const result = await saveCard({
      key: key.current,
      agreed: due,
      provider,
      nonce,
      deviceData,
      bearer,
      texts: words,
      // A card that is entered after this replaces the challenged one.
      onChallenge: () => {
        key.current = '';
      },
    });
    if (result.kind === 'failed' && [words.lost, words.broken].includes(result.message)) {
      setFailure(result.message);
      return false;
    }
    key.current = '';
    if (result.kind === 'paid') await then.onSaved(due > 0);
    else if (result.kind === 'declined') setFailure(text.declined);
    else {
      await then.onUnpaid();
      setFailure(result.message);
    }
    return result.kind === 'paid';
  };
  const run = async (work: () => Promise<boolean>) => {
    if (busy.current) return false;
    busy.current = true;
    setPending(true);
    setFailure('');
    const saved = await work().catch((error) => {
      setFailure(explain(error)?.message ?? '');
      return false;
    });
    busy.current = false;
    setPending(false);
    return saved;
  };
  return { failure, setFailure, pending, run, send };
}
