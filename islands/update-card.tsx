import { useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import { latin } from '../locales/format/numerals.ts';
import type { IslandText } from '../locales/index.ts';
import type { CodeCheck } from '../worker/accounts/check-code.ts';
import { CardEntry, type CardEntryProps } from './account/card-entry.tsx';
import { cardLines } from './account/card-lines.ts';
import {
  type Challenged,
  ConfirmChange,
  type ConfirmProps,
  findChallenged,
} from './account/confirm-change.tsx';
import { ContinueAs } from './account/continue-as.tsx';
import { FactList } from './account/fact-list.tsx';
import type { Fact } from './account/purchase-text.ts';
import styles from './account/purchases.module.css';
import { loadCard, type RenewalCard } from './account/renewal-card.ts';
import { reportUnexpected } from './account/report-unexpected.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { showResult } from './account/show-result.ts';
import { putCodeInUrl, watchUrlCode } from './app-link/url-code.ts';
import { call, errorCode } from './runtime/api.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { handOver } from './runtime/navigation/back-button.ts';
import { sessionToken } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Spinner } from './ui/spinner.tsx';

type Account = Pick<
  IslandText['my-account'],
  | 'continue_as'
  | 'continue'
  | 'signed_in_as'
  | 'not_me'
  | 'retry'
  | 'link_over'
  | 'signed_out'
  | 'email'
  | 'invalid'
  | 'mail'
  | 'mail_sent'
  | 'email_failed'
  | 'see'
  | 'next'
  | 'card'
  | 'card_is'
  | 'card_expires'
> &
  ConfirmProps['text'];

type Props = CardEntryProps & { account: Account };

type State = 'waiting' | 'confirming' | 'signed_out' | 'failed' | 'none' | 'shown' | 'done';

const mustSignIn = (error: unknown) =>
  ['unauthorized', 'email_unverified'].includes(errorCode(error) ?? '');

/** The token of an e-mailed link is valid for this page only, and is kept in memory only. */
export default function UpdateCard(props: Props) {
  const { text, account, language } = props;
  const [state, setState] = useState<State>('waiting');
  const [renewal, setRenewal] = useState<RenewalCard | null>(null);
  const [link, setLink] = useState<(CodeCheck & { code: string }) | null>(null);
  const [cardToken, setCardToken] = useState('');
  const [message, setMessage] = useState('');
  const [challenged, setChallenged] = useState<Challenged | null>(null);

  const bearerOf = (token: string) => token || sessionToken();
  const show = async (token = cardToken, then: State = 'shown') => {
    const bearer = bearerOf(token);
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
    putCodeInUrl('');
    setMessage(account.link_over);
    return show();
  };
  const open = async (code: string) => {
    setState('waiting');
    try {
      type Opened = { data: { card_token: string } };
      const { data } = await call<Opened>('/card-link/open', { body: { code } });
      setCardToken(data.card_token);
      putCodeInUrl('');
      return show(data.card_token);
    } catch (refused) {
      reportUnexpected(refused);
      if (!errorCode(refused)?.startsWith('card_link')) return setState('failed');
    }
    putCodeInUrl('');
    setMessage(account.link_over);
    return show();
  };
  useOnHydrate(() => watchUrlCode(inspect));

  if (state === 'waiting') {
    return (
      <p className="row gap-12 soft" role="status" data-waits="">
        <Spinner />
        {text.waiting}
      </p>
    );
  }
  if (state === 'confirming' && link) {
    return (
      <div className="stack gap-16">
        <ContinueAs
          text={account}
          email={link.email ?? ''}
          signedInAs={link.signed_in_as}
          onContinue={() => open(link.code)}
          restartHref="/"
        />
      </div>
    );
  }
  const purchases = (
    <a className="link-outlined" href="/manage" onClick={handOver}>
      {account.see}
    </a>
  );
  if (state === 'failed') {
    return (
      <div className="stack gap-16">
        <p role="alert">{text.failed}</p>
        <ContinueButton label={account.retry} type="button" onClick={() => show()} />
      </div>
    );
  }
  if (state === 'signed_out') {
    return (
      <div className="stack gap-16">
        {message && <p role="alert">{message}</p>}
        <RequestSignInLink text={account} hint={account.signed_out} purpose="manage" />
      </div>
    );
  }
  if (state === 'none' || !renewal) {
    return (
      <div className="stack gap-16">
        <p role="status">{text.none}</p>
        {purchases}
      </div>
    );
  }
  if (challenged) {
    const { vendors, stripe: fallback } = props;
    return (
      <ConfirmChange
        text={account}
        form={props.form}
        language={language}
        access={{ vendors, language, fallback }}
        subscription={challenged}
        onEnd={async (result) => {
          await show(cardToken, 'done');
          setMessage(result);
        }}
        onAgain={() => show()}
      />
    );
  }
  const sum = money(renewal.due ?? 0, renewal.currency, language);
  const { format: day } = new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long' });
  const { next } = renewal;
  const nextCharge = next &&
    !renewal.due && [money(next.amount, renewal.currency, language), day(next.at)];
  return (
    <div className="stack gap-16">
      {message && state === 'shown' && <p role="alert">{message}</p>}
      <section className={`card stack gap-8 ${styles.renewal}`}>
        <FactList
          facts={[
            [
              account.card,
              renewal.card ? cardLines(account, renewal.card, language) : [text.no_card],
            ],
            ...(nextCharge ? [[account.next, nextCharge] satisfies Fact] : []),
          ]}
          gap="gap-8"
        />
        {(renewal.due ?? 0) > 0 && (
          <>
            <p className="error">{interpolate(text.overdue, { sum })}</p>
            {renewal.since !== undefined && (
              <p className="small">
                {renewal.since
                  ? interpolate(text.pays_since, { date: day(renewal.since) })
                  : text.pays_anew}
              </p>
            )}
          </>
        )}
      </section>
      {state === 'shown' ? (
        <CardEntry
          {...props}
          renewal={renewal}
          bearer={bearerOf(cardToken)}
          onSaved={async (paid) => {
            await show(cardToken, 'done');
            setMessage(paid ? interpolate(text.saved_paid, { sum }) : text.saved);
          }}
          onUnpaid={() => show()}
        >
          <a className="link-plain" href="/manage" onClick={handOver}>
            {account.see}
          </a>
        </CardEntry>
      ) : (
        <>
          <p className="strong" role="status">
            {message}
          </p>
          {purchases}
        </>
      )}
    </div>
  );
}
