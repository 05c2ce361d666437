import { ChoiceField, CountryField } from '../../parts/choice.tsx';
import { Hidden } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { countryName } from '../../parts/rules/names.ts';
import { EnterButton, markedFields } from './price-field.tsx';
import { action, Facts, PriceTable, type ProductFormProps, Sold } from './product-form.tsx';
import { History, type ProductHistoryProps, Versions } from './product-history.tsx';

export interface ProductProps extends ProductFormProps, Omit<ProductHistoryProps, 'id'> {
  shown: {
    variant: string;
    /** Their names for people. */
    variants: Readonly<Record<string, string>>;
    country: string;
    screen: string;
  };
  /** Empty where there is nothing to show. */
  address: string;
  others: readonly string[];
  notice: string;
}

function Page({ shown, address }: Pick<ProductProps, 'shown' | 'address'>) {
  const { variant, variants, country, screen } = shown;
  const all = Object.keys(variants);
  return (
    <div className="stays">
      <div className="beside">
        <CountryField chosen={country} />
        {all.length > 1 ? (
          <ChoiceField
            label={<span>Visitors</span>}
            name="variant"
            chosen={variant}
            choices={all}
            textOf={(arm) => variants[arm] ?? arm}
          />
        ) : (
          <Hidden fields={{ variant }} />
        )}
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

/** One plan: what it costs in each currency, who sells it, and what a visitor sees. */
export function ProductPage(props: ProductProps) {
  const { base, form, problems, others, notice } = props;
  const mayPublish = useMayPublish();
  const isNew = form.id === '';
  const where = form.only && ` in ${countryName(form.only)}`;
  return (
    <ConsoleLayout
      title={isNew ? 'Add a plan' : (form.label || form.id) + where}
      at="/console/prices"
    >
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      <Problems problems={[...others, ...markedFields(problems)]} />
      {!isNew && (
        <p className="quiet">A changed price is for new buyers. Subscribers keep theirs.</p>
      )}
      <form method="post" action={`${action}/review`} className="with-phone prices product">
        <fieldset disabled={!mayPublish}>
          <EnterButton />
          <Hidden fields={{ base, id: form.id }} />
          <Facts {...props} />
          <PriceTable {...props} />
          <Sold {...props} />
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
          <Versions {...props} id={form.id} />
          <History {...props} />
        </>
      )}
    </ConsoleLayout>
  );
}
