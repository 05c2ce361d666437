import { CheckField, Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { currencyName } from '../../parts/rules/names.ts';
import { Table, type TableRow } from '../../parts/table.tsx';
import type { GridForm } from '../rules/price-form.ts';
import { EnterButton, markedFields, PriceField } from './price-field.tsx';
import { UncheckedSubmit } from './unchecked-submit.tsx';

interface GridRow {
  id: string;
  label: string;
  period: string;
  introDays: string;
  isFree: boolean;
  suggestions: Readonly<Record<'prices' | 'intro', Readonly<Record<string, string>>>>;
}

export interface PricesProps {
  base: string;
  form: GridForm;
  slots: readonly { name: string; rows: readonly GridRow[] }[];
  /** Who can sell in each currency that there is. */
  sellers: Readonly<Record<string, string>>;
  /** By field, such as `monthly.prices.USD`. */
  problems: Readonly<Record<string, string>>;
  others: readonly string[];
  source: string;
  notice: string;
}

const action = '/console/prices';

type RowsOf = Pick<PricesProps, 'form' | 'problems'> & { row: GridRow; mayPublish: boolean };

function rowsOf({ row, form, problems, mayPublish }: RowsOf): TableRow[] {
  const { id, label, period, introDays, isFree, suggestions } = row;
  const isPaid = introDays !== '' && !isFree;
  const start = isFree ? `${introDays} days free, then ` : isPaid ? 'then ' : '';
  const tables = isPaid ? (['intro', 'prices'] as const) : (['prices'] as const);
  return tables.map((table) => {
    const note = table === 'intro' ? `first ${introDays} days` : start + period;
    return {
      key: `${id} ${table}`,
      name: label,
      note,
      href: `/console/prices/product?id=${id}`,
      cells: form.currencies.map((currency) => {
        const value = form.products[id]?.[table][currency] ?? '';
        return mayPublish ? (
          <PriceField
            key={currency}
            label={`${label}, ${note}, ${currency}`}
            name={`${table}.${id}.${currency}`}
            value={value}
            suggestion={suggestions[table][currency]}
            problem={problems[`${id}.${table === 'intro' ? 'intro.prices' : table}.${currency}`]}
          />
        ) : (
          value
        );
      }),
    };
  });
}

function Currencies({ form, sellers }: Pick<PricesProps, 'form' | 'sellers'>) {
  return (
    <details className="card">
      <summary>
        Currencies <small>{form.currencies.join(', ')}</small>
      </summary>
      <p className="quiet">
        Countries pay in their currency if it is ticked, else in dollars. Each plan needs each.
      </p>
      <fieldset className="currencies">
        <legend className="unseen">Currencies</legend>
        {Object.keys(sellers).map((currency) => (
          <CheckField
            key={currency}
            type="checkbox"
            name="currency"
            value={currency}
            isChosen={form.currencies.includes(currency)}
            label={`${currency} ${currencyName(currency)}: ${sellers[currency]}`}
          />
        ))}
      </fieldset>
      <p className="actions">
        <UncheckedSubmit name="fill" action={action}>
          Show the ticked, with suggestions
        </UncheckedSubmit>
      </p>
    </details>
  );
}

export function Prices(props: PricesProps) {
  const { base, form, slots, sellers, others, source, notice, problems } = props;
  const mayPublish = useMayPublish();
  return (
    <ConsoleLayout title="Prices" at={action}>
      {notice && (
        <NoticeLine kind="done">
          {notice} <a href="/console/preview">See the pages</a>
        </NoticeLine>
      )}
      <Problems problems={[...others, ...markedFields(problems)]} />
      <p className="quiet">A changed price is for new buyers. Subscribers keep theirs.</p>
      {mayPublish && (
        <p className="actions">
          <a href="/console/prices/product">Add a plan</a>
          <a href="/console/offers?check=true">Compare with the payment providers</a>
        </p>
      )}
      <form method="post" action="/console/prices/review" className="prices">
        <fieldset disabled={!mayPublish}>
          <EnterButton />
          <Hidden fields={{ base }} />
          <Currencies form={form} sellers={sellers} />
          {slots.map(({ name, rows }) => (
            <Table
              key={name}
              title={name}
              stacks
              columns={[
                'Plan',
                ...form.currencies.map((currency) => ({ name: currency, className: 'number' })),
              ]}
              rows={rows.flatMap((row) => rowsOf({ row, form, problems, mayPublish }))}
              empty="No plan yet."
            />
          ))}
          {mayPublish && (
            <>
              <p className="quiet">{`Suggestions follow the dollar price: ${source}.`}</p>
              <p className="actions">
                <SubmitButton>Review the prices</SubmitButton>
              </p>
            </>
          )}
        </fieldset>
      </form>
    </ConsoleLayout>
  );
}
