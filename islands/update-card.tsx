import type { ComponentProps } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import { CardEntry, type CardEntryProps } from './account/card-entry.tsx';
import { ConfirmChange, type ConfirmProps } from './account/confirm-change.tsx';
import { isGate, LinkGate } from './account/link-gate.tsx';
import { RenewalFacts } from './account/renewal-facts.tsx';
import { useCardPage } from './account/use-card-page.ts';
import { handOver } from './runtime/navigation/back-button.ts';
import { Spinner } from './ui/spinner.tsx';

type Account = ComponentProps<typeof LinkGate>['text'] &
  ComponentProps<typeof RenewalFacts>['account'] &
  ConfirmProps['text'] &
  Record<'link_over' | 'see', string>;

type Props = CardEntryProps & { account: Account };

export default function UpdateCard(props: Props) {
  const { text, account, language } = props;
  const page = useCardPage(account.link_over);
  const { state, renewal, message, setMessage, challenged, show } = page;

  if (state === 'waiting') {
    return (
      <p className="row gap-12 soft" role="status" data-waits="">
        <Spinner />
        {text.waiting}
      </p>
    );
  }
  if (isGate(state)) {
    return (
      <LinkGate
        state={state}
        text={account}
        failed={text.failed}
        message={message}
        link={page.link}
        purpose="manage"
        onContinue={page.open}
        onRetry={() => show()}
      />
    );
  }
  const purchases = (
    <a className="link-outlined" href="/manage" onClick={handOver}>
      {account.see}
    </a>
  );
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
          await show('done');
          setMessage(result);
        }}
        onAgain={() => show()}
      />
    );
  }
  const sum = money(renewal.due ?? 0, renewal.currency, language);
  return (
    <div className="stack gap-16">
      {message && state === 'shown' && <p role="alert">{message}</p>}
      <RenewalFacts text={text} account={account} language={language} renewal={renewal} />
      {state === 'shown' ? (
        <CardEntry
          {...props}
          renewal={renewal}
          bearer={page.bearer}
          onSaved={async (paid) => {
            await show('done');
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
