import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInAgain from '../islands/sign-in-again.tsx';
import { Price } from '../islands/ui/price.tsx';
import UpsellOffer from '../islands/upsell-offer.tsx';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import { percentOf } from '../locales/format/numerals.ts';
import { sentencesOf } from '../locales/format/sentences.ts';
import type { Text } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import type {
  PageExtras,
  PageFlow,
  PartProps,
  ScreenProps,
} from '../worker/rendering/page-types.ts';
import { Benefits } from './parts/benefits.tsx';
import { cardWords } from './parts/card-words.ts';
import { Icon } from './parts/icon.tsx';
import { Layout, NextSteps, needs } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { cards, PaymentLogo } from './parts/payment-logo.tsx';
import { everyPeriod, planLine } from './parts/plan-labels.ts';
import { SmallPicture } from './scene/small-picture.tsx';
import styles from './upsell.module.css';

const offers = {
  an_private: { scene: 'chat', benefits: ['quiet', 'chat'] },
  guide: { scene: 'guide', benefits: ['phone', 'school', 'travel', 'alert'] },
} as const;

/** One page of the guide, as its buyers read it. */
function GuideSample({
  t,
  title,
  part,
  list,
}: { t: Text } & NonNullable<PageExtras['guideSample']>) {
  return (
    <section className="stack gap-12">
      <h2 className="title">{t('upsell.sample')}</h2>
      <div className={`card stack gap-12 ${styles.sample}`}>
        <p className="small strong">{title}</p>
        <h3 className="title-small">{part}</h3>
        <ul className={`bullets ${styles.points}`}>
          {list.map((line) => (
            <li key={line} className="small">
              {line}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

type Props = ScreenProps & {
  /** Selects texts and icons. */
  offer: keyof typeof offers;
  plan: PlanView;
};

function dueText(period: PlanView['period'], t: Text): string {
  if (period === 'once') return t('upsell.once');
  return t('upsell.price', { every: everyPeriod(period, t) });
}

type OfferPriceProps = PartProps<'language' | 'market'> & Pick<Props, 'plan' | 'offer'>;

/** Today's price and when it renews; the list price is struck through where the law allows it. */
function OfferPrice({ page, t, plan, offer }: OfferPriceProps) {
  const { currency, periodPrice, listPrice, coupon, period } = plan;
  const percent = percentOf(coupon?.percent ?? 0, page.language);
  const before = listPrice ? money(listPrice, currency, page.language) : '';
  return (
    <div className="notice stack gap-8">
      <p className={`row wrap ${styles.price}`}>
        <span className="strong grow">{dueText(period, t)}</span>
        {before && (
          <s className="soft tabular">
            <span aria-hidden="true">{before}</span>
            <span className="visually-hidden">{t('upsell.before', { price: before })}</span>
          </s>
        )}
        <Price minor={periodPrice} currency={currency} language={page.language} />
      </p>
      {coupon && (
        <p className="note">
          {t('upsell.less', { full: money(coupon.full, currency, page.language), percent })}
        </p>
      )}
      <p className="note">
        {offer === 'guide' ? t('upsell.guide.delivery') : t('checkout.cancel')}
      </p>
      {page.market.tax && <p className="note">{t('summary.tax')}</p>}
    </div>
  );
}

/** Only buyers see the offer. Outside the flow they come from the guide's page, or go on to their plan. */
function nextPath({ next, firstPath }: PageFlow, offer: Props['offer']): string {
  if (next !== null && next !== firstPath) return next;
  return offer === 'guide' ? '/guide' : '/success';
}

function Included({ t, offer }: Pick<Props, 't' | 'offer'>) {
  const items = offers[offer].benefits.map((name) => ({
    icon: name,
    title: t(`upsell.benefits.${name}.title`),
    text: t(`upsell.benefits.${name}.text`),
  }));
  return <Benefits items={items} />;
}

export const upsellName = ({ t, offer, plan }: Pick<Props, 't' | 'offer' | 'plan'>): string =>
  plan.name ?? t(`upsell.${offer}.title`);

/** As a heading and in a sentence. */
const unstopped = (name: string) => name.replace(/[.。]$/, '');

function Decision(props: Props) {
  const { page, t, text, offer, plan } = props;
  const next = nextPath(page.flow, offer);
  const { skip, onward, later, ...words } = text['upsell-offer'];
  const name = unstopped(upsellName(props));
  // Without another offer the invitation follows.
  const named = next === '/success' ? { decline: skip, onward } : { onward: t('common.continue') };
  return (
    <div className={`stack gap-12 ${styles.action}`} data-need={needs.account}>
      <OfferPrice page={page} t={t} plan={plan} offer={offer} />
      <div className={styles.again}>
        <Island of={SignInAgain} when="visible" text={text['sign-in-again']} />
      </div>
      <div className={`row spread gap-8 ${styles.cards}`}>
        <h2 className="title-small">{words.other}</h2>
        <span className="row gap-4">
          {cards.map((name) => (
            <PaymentLogo key={name} name={name} />
          ))}
        </span>
      </div>
      <Island
        of={UpsellOffer}
        when="idle"
        text={{
          ...words,
          ...named,
          later: interpolate(later, { name }),
          refused: t('checkout.refused', { method: '{{card}}' }),
        }}
        card={{
          ...cardWords({ page, text }),
          secure: t('checkout.secure'),
          by: t('checkout.by'),
          bank: '',
        }}
        stripe={page.checkout.stripe}
        plan={plan}
        every={everyPeriod(plan.period, t)}
        language={page.language}
        vendors={page.fakesPath}
        next={next}
        orderButton={page.market.orderButton}
      />
    </div>
  );
}

/** An extra after the purchase, as easy to decline as to accept. */
export function Upsell(props: Props) {
  const { page, t, offer, plan } = props;
  const { guideSample } = page.extras;
  const { scene } = offers[offer];
  const name = upsellName(props);
  // What it does for its buyer is the heading; the product's name follows.
  const [benefit = '', ...rest] = sentencesOf(plan.description ?? t(`upsell.${offer}.lead`));
  return (
    <Layout
      page={page}
      t={t}
      scene={scene}
      band={false}
      need="purchase"
      missing={{
        lead: t('notice.purchase.extra'),
        offer: (
          <section className="stack gap-16 line-above">
            <div className="row wrap spread gap-4">
              <h2 className="title">{unstopped(name)}</h2>
              <p className="strong tabular">{planLine(plan, t, page.language)}</p>
            </div>
            <Included t={t} offer={offer} />
          </section>
        ),
        picture: scene,
      }}
      more={guideSample && <GuideSample t={t} {...guideSample} />}
    >
      <p className={`callout row gap-8 strong ${styles.active}`}>
        <Icon name="consent" />
        {t('upsell.active')}
      </p>
      <PageTitle title={benefit} lead={[name, ...rest].join(' ')} />
      <div className={`stack gap-16 ${styles.why} ${styles[offer]}`}>
        <div className={styles.picture}>
          <SmallPicture t={t} of={scene} />
        </div>
        <Included t={t} offer={offer} />
      </div>
      <Decision {...props} />
      <section className={`stack gap-16 line-above ${styles.ahead}`}>
        <h2 className="title">{t('landing.steps.title')}</h2>
        <NextSteps t={t} />
      </section>
    </Layout>
  );
}
