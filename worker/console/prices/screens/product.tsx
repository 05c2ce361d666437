import { useContext } from 'react';
import { ChoiceField, CountryField } from '../../parts/choice.tsx';
import { CheckField, Field, Hidden } from '../../parts/field.tsx';
import {
  ConsoleLayout,
  ConsoleView,
  NoticeLine,
  Problems,
  useMayPublish,
} from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Phones } from '../../parts/phones.tsx';
import { currencyName } from '../../parts/rules/names.ts';
import { Table } from '../../parts/table.tsx';
import type { Amounts, ProductForm } from '../rules/price-form.ts';
import { EnterButton, PriceField } from './price-field.tsx';

export interface HistoryLine {
  time: string;
  who: string;
  reason: string;
  lines: readonly string[];
}

export interface ProductProps {
  base: string;
  form: ProductForm;
  /** Those that are offered, then others with a price. */
  currencies: readonly string[];
  suggestions: Readonly<Record<'prices' | 'intro', Amounts>>;
  source: string;
  /** Who can sell it, by currency. */
  sellers: Readonly<Record<string, string>>;
  slots: Readonly<Record<string, string>>;
  periods: Readonly<Record<string, string>>;
  offers: readonly { key: string; name: string; isSold: boolean; isChosen: boolean }[];
  shown: { variant: string; variants: readonly string[]; country: string; screen: string };
  /** Empty where there is nothing to show. */
  address: string;
  versions: readonly {
    version: string;
    cost: string;
    isSold: boolean;
    /** Those that it is sold in, whatever others get. */
    countries: readonly string[];
  }[];
  history: readonly HistoryLine[];
  problems: Readonly<Record<string, string>>;
  others: readonly string[];
  notice: string;
}

const action = '/console/prices/product';

function Facts(props: ProductProps) {
  const { form, slots, periods, problems } = props;
  const isNew = form.id === '';
  return (
    <div className="beside">
      <Field
        label="Name"
        note="On receipts. Pages name the plan by its period."
        name="label"
        defaultValue={form.label}
        required
        maxLength={80}
        placeholder="Yearly plan"
        problem={problems.label}
      />
      {isNew ? (
        <>
          <ChoiceField
            label={<span>Renews</span>}
            name="period"
            chosen={form.period}
            choices={Object.keys(periods)}
            textOf={(period) => periods[period] ?? period}
            problem={problems.period}
          />
          <ChoiceField
            label={<span>Sold as</span>}
            name="slot"
            chosen={form.slot}
            choices={Object.keys(slots)}
            textOf={(slot) => slots[slot] ?? slot}
            problem={problems.slot}
          />
          <ChoiceField
            label={<span>Only with</span>}
            name="depends"
            chosen={form.depends}
            choices={Object.keys(slots)}
            all="nothing else"
            textOf={(slot) => slots[slot] ?? slot}
            problem={problems.depends_on}
          />
        </>
      ) : (
        <Hidden fields={{ period: form.period, slot: form.slot, depends: form.depends }} />
      )}
      <Field
        label="Intro, days (optional; free without an intro price)"
        type="number"
        name="introDays"
        min="1"
        max="365"
        placeholder="none"
        defaultValue={form.introDays}
        problem={problems['intro.days']}
      />
      <Field
        label="Grace, days"
        note="Access while a renewal is unpaid."
        type="number"
        name="grace"
        min="0"
        max="365"
        required
        defaultValue={form.grace}
        problem={problems.grace_days}
      />
      {!isNew && (
        <Field
          label="A changed price is for"
          note="A country such as EC, or everyone."
          name="only"
          maxLength={2}
          placeholder="everyone"
          defaultValue={form.only}
          problem={problems.only}
        />
      )}
    </div>
  );
}

function PriceTable(props: ProductProps) {
  const { form, currencies, suggestions, sellers, problems } = props;
  const field = (table: 'prices' | 'intro', currency: string) => (
    <PriceField
      key={table}
      label={`${table === 'intro' ? 'Intro price' : 'Price'} in ${currencyName(currency)}`}
      name={`${table}.${currency}`}
      value={form[table][currency] ?? ''}
      suggestion={suggestions[table][currency]}
      problem={problems[table === 'intro' ? `intro.prices.${currency}` : `prices.${currency}`]}
      hasButton
      action={`${action}#prices`}
    />
  );
  return (
    <div id="prices">
      <Table
        title="Prices"
        columns={[
          'Currency',
          { name: 'Price', className: 'number' },
          { name: 'Intro price', className: 'number intro' },
          'Sold by',
        ]}
        rows={currencies.map((currency) => ({
          name: currency,
          note: currencyName(currency),
          cells: [field('prices', currency), field('intro', currency), sellers[currency] ?? ''],
        }))}
        empty=""
      >
        <p className="actions">
          <button
            type="submit"
            className="secondary"
            name="fill"
            value="true"
            formAction={`${action}#prices`}
            formNoValidate
          >
            Suggest the other prices from the dollar price
          </button>
        </p>
        <p className="quiet">{`By ${props.source}, rounded as each currency is priced. Check each one.`}</p>
      </Table>
    </div>
  );
}

const Offers = ({ offers }: Pick<ProductProps, 'offers'>) => (
  <fieldset className="card" aria-label="Sell it to">
    <h2>Sell it to</h2>
    {offers.map(({ key, name, isSold, isChosen }) =>
      isSold ? (
        <p key={key} className="quiet">
          {`${name}: sold already. `}
          <a href="/console/offers">Change the offer</a>
        </p>
      ) : (
        <CheckField
          key={key}
          type="checkbox"
          name="offer"
          value={key}
          isChosen={isChosen}
          label={name}
        />
      ),
    )}
  </fieldset>
);

function Page({ shown, address }: Pick<ProductProps, 'shown' | 'address'>) {
  const { variant, variants, country, screen } = shown;
  return (
    <div className="stays">
      <div className="beside">
        <CountryField chosen={country} />
        <ChoiceField
          label={<span>Variant</span>}
          name="variant"
          chosen={variant}
          choices={variants}
        />
        <button
          type="submit"
          className="secondary"
          name="show"
          value="true"
          formAction={`${action}#page`}
          formNoValidate
        >
          Show the page
        </button>
      </div>
      <div id="page">
        {address ? (
          <Phones label="What a visitor sees" screens={[{ id: screen, address }]} script="" />
        ) : (
          <p className="quiet">The page is shown when the fields are filled in.</p>
        )}
      </div>
    </div>
  );
}

function Versions({ base, form, versions }: Pick<ProductProps, 'base' | 'form' | 'versions'>) {
  const mayPublish = useMayPublish();
  return (
    <Table
      title="Versions"
      stacks
      columns={['Version', 'Price', 'Action']}
      rows={versions.map(({ version, cost, isSold, countries }) => ({
        name: version,
        note: [...(isSold ? ['sold now'] : []), ...countries.map((one) => `in ${one}`)].join(', '),
        isLive: isSold,
        cells: [
          cost,
          mayPublish && versions.length > 1 && (
            <form key={version} method="post" action="/console/prices/sells" className="joined">
              <Hidden fields={{ base, id: form.id, version }} />
              <input
                name="country"
                size={9}
                maxLength={2}
                placeholder={isSold ? 'e.g. EC' : 'everyone'}
                required={isSold}
                aria-label={`Country for version ${version}`}
              />
              <button type="submit" className="plain">{`Sell version ${version}`}</button>
            </form>
          ),
        ],
      }))}
      empty=""
    />
  );
}

function History({ history }: Pick<ProductProps, 'history'>) {
  const { time: format } = useContext(ConsoleView);
  return (
    <Table
      title="History"
      stacks
      columns={['Published', 'What changed', 'Reason', 'By']}
      rows={history.map(({ time, who, reason, lines }) => ({
        key: time,
        name: format(time),
        cells: [<Lines key="lines" lines={lines} isPlain />, reason || 'none given', who],
      }))}
      empty="As built in; nothing was published."
    />
  );
}

/** One plan: what it costs in each currency, who sells it, and what a visitor sees. */
export function ProductPage(props: ProductProps) {
  const { base, form, problems, others, notice, versions } = props;
  const mayPublish = useMayPublish();
  const isNew = form.id === '';
  const count = Object.keys(problems).length;
  const sold = versions.find(({ isSold }) => isSold);
  return (
    <ConsoleLayout title={isNew ? 'Add a plan' : form.label || form.id} at="/console/prices">
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      <Problems
        problems={[
          ...others,
          ...(count > 0 ? [`Correct the marked ${count === 1 ? 'field' : 'fields'}.`] : []),
        ]}
      />
      {sold && (
        <p className="quiet">
          {`A changed price is a new version. Subscribers keep ${sold.cost}. New buyers pay what you publish.`}
        </p>
      )}
      <form method="post" action={`${action}/review`} className="with-phone prices product">
        <fieldset disabled={!mayPublish}>
          <EnterButton />
          <Hidden fields={{ base, id: form.id }} />
          <Facts {...props} />
          <PriceTable {...props} />
          <Offers {...props} />
          {mayPublish && (
            <p>
              <button type="submit">Review the plan</button>
            </p>
          )}
        </fieldset>
        <Page {...props} />
      </form>
      {!isNew && (
        <>
          <Versions {...props} />
          <History {...props} />
        </>
      )}
    </ConsoleLayout>
  );
}
