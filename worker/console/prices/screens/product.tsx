import type { Currency } from '../../../catalog/rules/currencies.ts';
import { CountryField } from '../../parts/choice.tsx';
import { Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { countryName } from '../../parts/rules/names.ts';
import { EnterButton, markedFields } from './price-field.tsx';
import { action, Facts, PriceTable, type ProductFormProps, Sold } from './product-form.tsx';
import { History, type ProductHistoryProps, Versions } from './product-history.tsx';
import { UncheckedSubmit } from './unchecked-submit.tsx';

export interface ProductProps extends ProductFormProps, Omit<ProductHistoryProps, 'id'> {
  country: string;
  screen: string;
  /** Of its preview; empty where there is nothing to show. */
  token: string;
  offered: readonly Currency[];
  /** Suggestions that were filled in just now, such as `CAD 134.99`. */
  taken: readonly string[];
  others: readonly string[];
  notice: string;
}

/** With scripts, so that the order and the button follow the chosen plan. */
const siteOf = ({ screen, token }: Pick<ProductProps, 'screen' | 'token'>) =>
  `/${screen}?preview=${token}`;

function Page({ country, screen, token, offered, form }: ProductProps) {
  const name = form.slot === 'main' ? { name: 'Main payment page' } : {};
  return (
    <div className="stays">
      <div className="beside">
        <CountryField label="Visitor’s country" {...{ offered, chosen: country }} />
        <noscript>
          <UncheckedSubmit name="show" action={`${action}#page`}>
            Show the page
          </UncheckedSubmit>
        </noscript>
      </div>
      <div id="page">
        {token ? (
          <Phones
            label="What a visitor sees"
            screens={[{ id: screen, ...name, address: `/${screen}?frame=${token}` }]}
            script=""
            link={siteOf({ screen, token })}
          />
        ) : (
          <p className="quiet">The page shows here.</p>
        )}
      </div>
    </div>
  );
}

export function ProductPage(props: ProductProps) {
  const { base, form, problems, others, notice, token, taken } = props;
  const mayPublish = useMayPublish();
  const isNew = form.id === '';
  const button = (
    <SubmitButton>
      {taken.length > 0 ? `Use the suggestions (${taken.length}) and review` : 'Review the plan'}
    </SubmitButton>
  );
  const where = form.only && ` in ${countryName(form.only)}`;
  return (
    <ConsoleLayout
      title={isNew ? 'Add a plan' : (form.label || form.id) + where}
      at="/console/prices"
    >
      {notice && (
        <NoticeLine kind="done">
          {notice}{' '}
          {token && (
            <a href={siteOf(props)} target="_blank" rel="noopener">
              See it on the site
            </a>
          )}
        </NoticeLine>
      )}
      <Problems problems={[...others, ...markedFields(problems)]} />
      {!isNew && (
        <p className="quiet">A changed price is for new buyers. Subscribers keep theirs.</p>
      )}
      <form
        method="post"
        action={`${action}/review`}
        data-step={action}
        className="with-phone prices product"
      >
        <fieldset disabled={!mayPublish}>
          <EnterButton />
          <Hidden fields={{ base, id: form.id }} />
          {taken.length > 0 && (
            <NoticeLine kind="caution">
              <p>{`Prices were suggested: ${taken.join(', ')}.`}</p>
              {button}
            </NoticeLine>
          )}
          <Facts {...props} />
          <PriceTable {...props} />
          <Sold {...props} />
          {mayPublish && <p>{button}</p>}
        </fieldset>
        <Page {...props} />
      </form>
      {!isNew && (
        <>
          {props.versions.length > 1 && <Versions {...props} id={form.id} />}
          <History {...props} />
        </>
      )}
    </ConsoleLayout>
  );
}
