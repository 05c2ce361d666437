import { useState } from 'react';
import type { CodeCheck } from '../../worker/accounts/check-code.ts';
import { putCodeInUrl, watchUrlCode } from '../app-link/url-code.ts';
import { call, errorCode } from '../runtime/api.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { sessionToken } from '../stores/signup.ts';
import { type Challenged, findChallenged } from './confirm-change.tsx';
import type { GateState, InspectedLink } from './link-gate.tsx';
import { mustSignIn } from './purchases-api.ts';
import { loadCard, type RenewalCard } from './renewal-card.ts';
import { reportUnexpected } from './report-unexpected.ts';
import { showResult } from './show-result.ts';

type State = 'waiting' | GateState | 'none' | 'shown' | 'done';

/**
 * Opens the card page with an e-mailed link or the session, and loads the card. The token of a link is valid for
 * this page only, and is kept in memory only.
 */
export function useCardPage(linkOver: string) {
  const [state, setState] = useState<State>('waiting');
  const [renewal, setRenewal] = useState<RenewalCard | null>(null);
  const [link, setLink] = useState<InspectedLink | null>(null);
  const [cardToken, setCardToken] = useState('');
  const [message, setMessage] = useState('');
  const [challenged, setChallenged] = useState<Challenged | null>(null);

  const load = async (token: string, then: State) => {
    const bearer = token || sessionToken();
    if (!bearer) return setState('signed_out');
    try {
      const [card, subscription] = await Promise.all([
        loadCard(bearer),
        token ? null : findChallenged(),
      ]);
      setChallenged(subscription);
      if (subscription) showResult();
      setRenewal(card);
      setState(card === null ? 'none' : card.due === null ? 'failed' : then);
    } catch (error) {
      reportUnexpected(error);
      setState(mustSignIn(error) ? 'signed_out' : 'failed');
    }
  };
  const show = (then: 'shown' | 'done' = 'shown') => load(cardToken, then);
  const showOver = () => {
    putCodeInUrl('');
    setMessage(linkOver);
    return show();
  };
  const inspect = async (code: string) => {
    setState('waiting');
    if (!code) return show();
    try {
      const options = { body: { code }, bearer: sessionToken() };
      const { data } = await call<{ data: CodeCheck }>('/card-link/check', options);
      setLink({ ...data, code });
      if (data.state === 'ready') return setState('confirming');
    } catch (error) {
      reportUnexpected(error);
      return setState('failed');
    }
    return showOver();
  };
  const open = async (code: string) => {
    setState('waiting');
    try {
      type Opened = { data: { card_token: string } };
      const { data } = await call<Opened>('/card-link/open', { body: { code } });
      setCardToken(data.card_token);
      putCodeInUrl('');
      return load(data.card_token, 'shown');
    } catch (refused) {
      reportUnexpected(refused);
      if (!errorCode(refused)?.startsWith('card_link')) return setState('failed');
    }
    return showOver();
  };
  useOnHydrate(() => watchUrlCode(inspect));

  return {
    state,
    renewal,
    link,
    message,
    setMessage,
    challenged,
    bearer: cardToken || sessionToken(),
    show,
    open,
  };
}
