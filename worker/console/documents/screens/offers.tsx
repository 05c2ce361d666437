import { ChoiceField, CountryField, ShowButton } from '../../parts/choice.tsx';
import { Hidden, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { countryName, languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';
import { figures, Table } from '../../parts/table.tsx';
import type { CouponForm } from '../rules/coupon-form.ts';
import { CouponActions, CouponFields, type CouponPlans } from './coupon-form.tsx';
import { type OfferChoices, OfferFields, type OfferFormProps } from './offer-form.tsx';

export interface OffersProps {
  country: string;
  lng: string;
  languages: readonly string[];
  /** Fingerprint of the documents that the forms start from. */
  base: string;
  problems: readonly string[];
  notice: string;
  /** The offer of each variant, in the texts of the page. */
  offers: readonly {
    variant: string;
    share: string;
    screen: string;
    edit: OfferFormProps;
    lines: readonly { name: string; id: string; place: string; note: string; line: string }[];
  }[];
  choices: OfferChoices;
  coupons: readonly {
    code: string;
    terms: string;
    attempts: string;
    bought: string;
    /** Whether it is in `config.json`. */
    isOurs: boolean;
    hasCodes: boolean;
  }[];
  coupon: CouponForm;
  isEditing: boolean;
  families: CouponPlans;
  mayPeople: boolean;
  /** The providers' checks; null if none was called. */
  providers: readonly { gateway: string; lines: readonly string[] }[] | null;
}

const Buyers = ({ code }: { code: string }) => (
  <form method="post" action="/console/people">
    <Hidden fields={{ text: code }} />
    <SecondButton>Show buyers</SecondButton>
  </form>
);

type OfferProps = OffersProps['offers'][number] &
  Pick<OffersProps, 'country' | 'lng' | 'base' | 'choices'>;

function Offer(props: OfferProps) {
  const { variant, share, screen, lines, country, lng, base, choices, edit } = props;
  const mayPublish = useMayPublish();
  const place = screen
    ? `The checkout is “${screenName(screen)}”. Prices in ${countryName(country)}.`
    : `The flow of this variant has no checkout. Prices in ${countryName(country)}.`;
  return (
    <section className="card" aria-label={variant}>
      <h2>
        {share} <small>{variant}</small>
      </h2>
      <p className="quiet">{place}</p>
      {[...Map.groupBy(lines, ({ place: part }) => part)].map(([part, own]) => (
        <section key={part} className={`sold ${part === 'Not sold' ? 'faint' : ''}`}>
          <h3>{part}</h3>
          <dl className="flows" lang={lng} dir="auto">
            {own.map(({ name, id, note, line }) => (
              <div key={id}>
                <dt>
                  {name} <small>{id}</small>
                </dt>
                <dd>{line}</dd>
                {note && <dd>{note}</dd>}
              </div>
            ))}
          </dl>
        </section>
      ))}
      {mayPublish && <OfferFields {...{ base, choices }} {...edit} />}
    </section>
  );
}

function ProviderPrices({
  providers,
  country,
  lng,
}: Pick<OffersProps, 'providers' | 'country' | 'lng'>) {
  return (
    <section className="card">
      <h2>Payment providers</h2>
      {providers === null && (
        <p className="actions">
          <a href={`/console/offers?${new URLSearchParams({ country, lng, check: 'true' })}`}>
            Check the prices now
          </a>
        </p>
      )}
      {providers?.map(({ gateway, lines }) => (
        <div key={gateway}>
          <h3>{gateway}</h3>
          <Lines lines={lines} />
        </div>
      ))}
    </section>
  );
}

function Coupons(props: OffersProps) {
  const { coupons, mayPeople, base } = props;
  const mayPublish = useMayPublish();
  return (
    <Table
      title="Coupons"
      stacks
      columns={['Code', 'Terms', ...figures('Attempts', 'Purchases'), 'Actions']}
      rows={coupons.map(({ code, terms, attempts, bought, isOurs, hasCodes }) => ({
        name: code,
        cells: [
          terms,
          attempts,
          bought,
          <span key={code} className="actions">
            {mayPeople && bought !== '0' && <Buyers code={code} />}
            {mayPublish && isOurs && <CouponActions {...{ code, base, hasCodes }} />}
          </span>,
        ],
      }))}
      empty="None besides those built in."
    >
      {mayPublish && <CouponFields {...props} />}
    </Table>
  );
}

export function Offers(props: OffersProps) {
  const { country, lng, languages, offers, problems } = props;
  return (
    <ConsoleLayout title="Offers" at="/console/offers">
      {props.notice && <NoticeLine kind="done">{props.notice}</NoticeLine>}
      <Problems problems={problems} />
      <form method="get" action="/console/offers" className="beside" data-apply="">
        <CountryField chosen={country} />
        <ChoiceField
          label="Language"
          name="lng"
          chosen={lng}
          choices={languages}
          textOf={languageName}
        />
        <ShowButton />
        <a href="/console/documents">The settings as text</a>
      </form>
      <div className="pairs">
        {offers.map((offer) => (
          <Offer key={offer.variant} {...props} {...offer} />
        ))}
      </div>
      <Coupons {...props} />
      <ProviderPrices {...props} />
    </ConsoleLayout>
  );
}
