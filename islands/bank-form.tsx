import type { FormEvent } from 'react';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { BankMethod } from '../worker/catalog/rules/bank-methods.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import styles from './bank-form.module.css';
import { PayButton } from './checkout/pay-button.tsx';
import { useBankFields } from './checkout/use-bank-fields.ts';
import { useBankPayment } from './checkout/use-bank-payment.ts';
import { useChosenPlan } from './checkout/use-chosen-plan.ts';
import { PageLock } from './ui/page-lock.tsx';
import { Spinner } from './ui/spinner.tsx';

interface Props {
  text: IslandText['bank-form'];
  pay: IslandText['card-form'];
  plans: PlanView[];
  methods: Record<string, BankMethod[]>;
  language: string;
  vendors: string;
  orderButton: 'pay' | 'order';
  stripe?: { key: string; name: string };
}

type StateProps = { text: Props['text']; retry: string; state: string; onRetry: () => void };

/** In the fields' place: that they load, or why they are not there. */
function FieldsState({ text, retry, state, onRetry }: StateProps) {
  if (state === 'loading') {
    return (
      <p className={styles.wait}>
        <Spinner />
      </p>
    );
  }
  if (state !== 'failed') return null;
  return (
    <>
      <p className="error" role="alert">
        {text.unavailable}
      </p>
      <button className="small-button" type="button" onClick={onRetry}>
        {retry}
      </button>
    </>
  );
}

/** Payment from a bank account; its fields load on the buyer's request. */
export default function BankForm(props: Props) {
  const { text, pay: words, plans, methods, language, vendors, orderButton, stripe } = props;
  const { plan, today: amount, code } = useChosenPlan(plans);
  const offered = (plan && methods[plan.id]) ?? [];
  const currency = plan?.currency ?? 'EUR';
  const access = { vendors, language, fallback: stripe };
  const bank = useBankFields(access, { amount, currency, methods: offered });
  const { state } = bank;
  const { pending, failure, open, pay } = useBankPayment(bank, words, text.declined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (plan) void pay(plan.id, code);
  };
  return (
    <form
      className="stack gap-12 needs-script"
      method="post"
      onSubmit={submit}
      hidden={offered.length === 0}
      noValidate
    >
      {state === 'closed' ? (
        <button className="link-outlined" type="button" onClick={open}>
          {text.open}
        </button>
      ) : (
        <h2 className={`title-small ${styles.title}`}>{text.open}</h2>
      )}
      <div className={state === 'closed' ? undefined : styles.fields}>
        <FieldsState text={text} retry={words.retry} state={state} onRetry={open} />
        <div ref={bank.box} />
      </div>
      {state !== 'closed' && (
        <>
          <p className={`note ${styles.state}`} role="status" hidden={failure !== ''}>
            {pending ? words.processing : text.policy}
          </p>
          <p className={`error ${styles.state}`} role="alert" hidden={failure === ''}>
            {failure}
          </p>
          <PayButton
            id="bank-button"
            text={words}
            orderButton={orderButton}
            amount={money(amount, currency, language)}
            pending={pending}
            disabled={state !== 'ready'}
          />
        </>
      )}
      <PageLock enabled={pending} />
    </form>
  );
}
