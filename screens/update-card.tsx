import { Island } from '../islands/runtime/hydration/island.tsx';
import UpdateCard from '../islands/update-card.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './my-account.module.css';
import { cardWords } from './parts/card-words.ts';
import { Layout } from './parts/layout.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { cards, marks } from './parts/payment-logo.tsx';

const names = [
  'continue_as',
  'continue',
  'signed_in_as',
  'not_me',
  'retry',
  'link_over',
  'signed_out',
  'email',
  'invalid',
  'mail',
  'mail_sent',
  'ask',
  'email_failed',
  'see',
  'next',
  'card',
  'card_is',
  'card_expires',
  'change_bank',
  'change_confirm',
  'changed',
  'change_declined',
  'change_failed',
  'change_waiting',
] as const;

type Words = ScreenProps['text']['my-account'];

const accountWords = (all: Words) =>
  Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<Words, (typeof names)[number]>;

/** A page shell for the card that pays the renewals; the owner's browser fills it in. */
export function UpdateCardScreen({ page, t, text }: ScreenProps) {
  return (
    <Layout page={page} t={t} scene="card" band={false} anchored>
      <PageTitle
        title={t('card.title')}
        later={t('card.later')}
        lead={t('card.lead')}
        laterLead={t('card.later_lead')}
      />
      <NoScript text={t('card.script')} />
      <div className={`stack gap-24 ${styles.account}`}>
        <Island
          of={UpdateCard}
          when="load"
          text={{ ...text['update-card'], secure: t('checkout.secure') }}
          form={cardWords({ page, text })}
          account={accountWords(text['my-account'])}
          language={page.language}
          vendors={page.fakesPath}
          stripe={page.checkout.stripe}
          paypal={page.checkout.offersPayPal}
          google={page.checkout.googlePay}
          brand={page.brand}
          logos={cards.map((name) => `${marks}#${name}`)}
          accepted={t('checkout.marks')}
          test={page.isTestMode}
        />
      </div>
    </Layout>
  );
}
