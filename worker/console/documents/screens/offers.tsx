import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout, Scroll } from '../../parts/layout.tsx';
import { countryName, languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';
import { figures, Table } from '../../parts/table.tsx';

export interface OffersProps {
  country: string;
  lng: string;
  languages: readonly string[];
  /** The offer of each variant, in the texts of the page. */
  offers: readonly {
    variant: string;
    share: string;
    screen: string;
    lines: readonly { name: string; id: string; note: string; line: string }[];
  }[];
  coupons: readonly { code: string; terms: string; attempts: string; bought: string }[];
  mayPeople: boolean;
  /** The providers' checks; null if none was called. */
  providers: readonly { gateway: string; lines: readonly string[] }[] | null;
}

const Buyers = ({ code, count }: { code: string; count: string }) => (
  <form method="post" action="/console/people">
    <input type="hidden" name="text" defaultValue={code} />
    <button type="submit" className="secondary">{`Show buyers (${count})`}</button>
  </form>
);

type OfferProps = OffersProps['offers'][number] & Pick<OffersProps, 'country' | 'lng'>;

function Offer({ variant, share, screen, lines, country, lng }: OfferProps) {
  return (
    <Scroll label={variant}>
      <h2>
        {variant} <span className="chip">{share}</span>
      </h2>
      <p className="quiet">
        {screen
          ? `On “${screenName(screen)}” in ${countryName(country)}:`
          : `The flow of this variant has no checkout. Its offer in ${countryName(country)}:`}
      </p>
      <dl className="flows" lang={lng} dir="auto">
        {lines.map(({ name, id, note, line }) => (
          <div key={id}>
            <dt>
              {name} <small>{id}</small>
            </dt>
            <dd>{line}</dd>
            {note && <dd>{note}</dd>}
          </div>
        ))}
      </dl>
    </Scroll>
  );
}

function ProviderPrices({
  providers,
  country,
  lng,
}: Pick<OffersProps, 'providers' | 'country' | 'lng'>) {
  return (
    <section className="card">
      <h2>Prices at the providers</h2>
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
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

export function Offers(props: OffersProps) {
  const { country, lng, languages, offers, coupons, mayPeople } = props;
  return (
    <ConsoleLayout title="Offers" at="/console/offers">
      <form method="get" action="/console/offers" className="beside" data-apply="">
        <label className="field">
          <span>Country code</span>
          <input name="country" defaultValue={country} maxLength={2} size={4} />
        </label>
        <ChoiceField
          label={<span>Language</span>}
          name="lng"
          chosen={lng}
          choices={languages}
          textOf={languageName}
        />
        <ShowButton />
      </form>
      <div className="pairs">
        {offers.map((offer) => (
          <Offer key={offer.variant} {...{ ...offer, country, lng }} />
        ))}
      </div>
      <p className="actions">
        <a href="/console/documents">Add or change offers and coupons</a>
      </p>
      <Table
        title="Coupons"
        stacks
        columns={['Code', 'Terms', ...figures('Attempts', 'Purchases')]}
        rows={coupons.map(({ code, terms, attempts, bought }) => ({
          name: code,
          cells: [
            terms,
            attempts,
            mayPeople && bought !== '0' ? <Buyers key={code} code={code} count={bought} /> : bought,
          ],
        }))}
        empty="No coupon yet. Add one with the button above."
      />
      <ProviderPrices {...props} />
    </ConsoleLayout>
  );
}
