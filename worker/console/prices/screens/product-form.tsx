import { ChoiceField, CountryField } from '../../parts/choice.tsx';
import { CheckField, Field, Hidden } from '../../parts/field.tsx';
import { currencyName } from '../../parts/rules/names.ts';
import { Table } from '../../parts/table.tsx';
import type { Sale } from '../rules/plan-sale.ts';
import type { ProductForm } from '../rules/price-form.ts';
import type { Amounts } from '../rules/typed-amounts.ts';
import { PriceField } from './price-field.tsx';
import { UncheckedSubmit } from './unchecked-submit.tsx';

export interface ProductFormProps extends Sale {
  form: ProductForm;
  /** Those that are offered, then those that a new plan can add. */
  currencies: readonly string[];
  suggestions: Readonly<Record<'prices' | 'intro', Amounts>>;
  unoffered: string;
  hasReference: boolean;
  /** Who can charge it, by currency. */
  sellers: Readonly<Record<string, string>>;
  slots: Readonly<Record<string, string>>;
  periods: Readonly<Record<string, string>>;
  offers: readonly {
    key: string;
    name: string;
    plans: string;
    selected: string;
    isSold: boolean;
    isChosen: boolean;
  }[];
  problems: Readonly<Record<string, string>>;
}

export const action = '/console/prices/product';

const startNames = {
  full: 'pays the price',
  free: 'has a free trial',
  paid: 'pays a lower price',
} as const;

const textIn = (names: Readonly<Record<string, string>>) => (name: string) => names[name] ?? name;

function Rest({ form, slots, problems }: ProductFormProps) {
  const isNew = form.id === '';
  return (
    <details open={Boolean(problems.grace_days ?? problems.only ?? problems.depends_on)}>
      <summary>More settings</summary>
      <div className="beside">
        <Field
          label="Access while a renewal is unpaid, in days"
          type="number"
          name="grace"
          min="0"
          max="365"
          required
          defaultValue={form.grace}
          problem={problems.grace_days}
        />
        {isNew ? (
          <>
            <ChoiceField
              label="Sold as"
              name="slot"
              chosen={form.slot}
              choices={Object.keys(slots)}
              textOf={textIn(slots)}
              problem={problems.slot}
            />
            <ChoiceField
              label="Sold only together with"
              name="depends"
              chosen={form.depends}
              choices={Object.keys(slots)}
              all="nothing else"
              textOf={textIn(slots)}
              problem={problems.depends_on}
            />
          </>
        ) : (
          <CountryField
            label="The prices are for"
            name="only"
            all="everyone"
            chosen={form.only}
            problem={problems.only}
          />
        )}
      </div>
    </details>
  );
}

export function Facts(props: ProductFormProps) {
  const { form, periods, problems } = props;
  const isNew = form.id === '';
  return (
    <>
      <div className="beside">
        <Field
          label="Name"
          note="On receipts; pages show the period."
          name="label"
          defaultValue={form.label}
          required
          maxLength={80}
          problem={problems.label}
        />
        {isNew ? (
          <ChoiceField
            label="Renews"
            name="period"
            chosen={form.period}
            choices={Object.keys(periods)}
            textOf={textIn(periods)}
            problem={problems.period}
          />
        ) : (
          <Hidden fields={{ period: form.period, slot: form.slot, depends: form.depends }} />
        )}
        <ChoiceField
          label="At first the buyer"
          name="start"
          chosen={form.start}
          choices={Object.keys(startNames)}
          textOf={textIn(startNames)}
          problem={problems['intro.free']}
        />
        <Field
          label="For how many days"
          className="intro"
          type="number"
          name="introDays"
          min="1"
          max="365"
          defaultValue={form.introDays}
          problem={problems['intro.days']}
        />
      </div>
      <Rest {...props} />
    </>
  );
}

const tables = {
  prices: { title: 'Price', label: 'Price', path: 'prices', className: '' },
  intro: { title: 'At first', label: 'Price at first', path: 'intro.prices', className: ' first' },
  reference: {
    title: 'Struck through',
    label: 'Price struck through',
    path: 'reference',
    className: '',
  },
} as const;

export function PriceTable(props: ProductFormProps) {
  const { form, currencies, unoffered, suggestions, sellers, problems } = props;
  const names: (keyof typeof tables)[] = [
    'prices',
    'intro',
    ...(props.hasReference ? ['reference' as const] : []),
  ];
  const isNew = form.id === '';
  const field = (table: keyof typeof tables, currency: string) => (
    <PriceField
      key={table}
      label={`${tables[table].label} in ${currencyName(currency)}`}
      name={`${table}.${currency}`}
      value={form[table]?.[currency] ?? ''}
      suggestion={table === 'reference' ? undefined : suggestions[table][currency]}
      problem={problems[`${tables[table].path}.${currency}`]}
      isMarked={isNew}
    />
  );
  const all = [...new Set(currencies.map((currency) => sellers[currency] ?? ''))];
  return (
    <div id="prices">
      <Table
        title="Prices"
        columns={[
          'Currency',
          ...names.map((table) => ({
            name: tables[table].title,
            className: `number${tables[table].className}`,
          })),
        ]}
        rows={currencies.map((currency) => ({
          name: currency,
          note: currencyName(currency) + (all.length > 1 ? `, ${sellers[currency]}` : ''),
          cells: names.map((table) => field(table, currency)),
        }))}
        empty=""
      >
        <p className="quiet">
          {isNew
            ? `Type the dollar price; the others are suggested. ${unoffered ? `Only ${unoffered} may stay empty.` : 'Each is needed: visitors pay in their currency.'}`
            : 'A new dollar price changes no other price.'}
          {all.length === 1 && ` Charged by ${all}.`} <a href="/console/prices">Other currencies</a>
        </p>
        {!isNew && (
          <p className="actions">
            <UncheckedSubmit name="fill" action={`${action}#prices`}>
              Replace the other prices with suggestions
            </UncheckedSubmit>
          </p>
        )}
      </Table>
    </div>
  );
}

export function Sold({ offers, form, isSelected }: ProductFormProps) {
  const isMain = form.slot === 'main';
  return (
    <fieldset className="card">
      <h2>Sell it to</h2>
      {offers.map(({ key, name, plans, selected, isSold, isChosen }) => (
        <div key={key}>
          {isSold ? (
            <p>
              {`${name}: sold already. `}
              <a href={`/console/offers#offer-${key}`}>Change the offer</a>
            </p>
          ) : (
            <CheckField type="checkbox" name="offer" value={key} isChosen={isChosen} label={name} />
          )}
          <p className="quiet">
            {`Now: ${plans}; selected at first: ${selected}. `}
            {offers.length > 1 && <small>{key}</small>}
          </p>
        </div>
      ))}
      {isMain && offers.some(({ isSold }) => !isSold) && (
        <div className="choice">
          <CheckField
            type="checkbox"
            name="selected"
            value="true"
            isChosen={isSelected}
            label="Select this plan at first"
          />
        </div>
      )}
    </fieldset>
  );
}
