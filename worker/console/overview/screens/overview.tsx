import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { Field, Hidden } from '../../parts/field.tsx';
import { Charts, type ChartText, Figures, type FigureText, Marks } from '../../parts/figures.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { StatusLine, type StatusProps } from '../../parts/status-line.tsx';
import { details, Fold, figures, Table, type TableRow } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { FunnelChart, type FunnelProps, noVisitors } from './funnel.tsx';
import { Landings, type LandingsProps } from './landings.tsx';

interface Filter {
  name: string;
  chosen: string;
  /** URL of the view without this filter. */
  without: string;
  choices: readonly string[];
  /** A value for people. */
  textOf: (value: string) => string;
}

export interface OverviewProps extends FunnelProps {
  status: StatusProps;
  period: string;
  periods: readonly { name: string; href: string; isChosen: boolean }[];
  /** First and last day, such as 2026-11-22. */
  days: { from: string; to: string };
  /** Whether the person chose another zone, which daily counts do not support. */
  isOtherZone: boolean;
  isRunning: boolean;
  filters: readonly Filter[];
  revenue: readonly ChartText[];
  /** New revenue, renewals and both by currency; none if the chart says it all. */
  currencies: readonly TableRow[];
  /** Whether revenue has several currencies and no rate to add them up. */
  isRateMissing: boolean;
  rates: readonly FigureText[];
  /** For all visitors, whatever the filters; null while they cannot be read. */
  subscriptions: readonly FigureText[] | null;
  traffic: readonly ChartText[];
  marks: readonly { at: number; time: string; text: string }[];
  countries: readonly TableRow[];
  variants: readonly TableRow[];
  landings: LandingsProps;
  /** Query of the same view as CSV. */
  query: string;
  script: string;
}

function View({ status, period, periods, days, filters }: OverviewProps) {
  const chosen = filters.filter((filter) => filter.chosen);
  return (
    <div className="view">
      <Tabs label="Period" tabs={periods} />
      {status.todo.length === 0 && (
        <a
          className={`chip ${status.isChecked ? 'success' : 'warning'}`}
          href="/console/operations"
        >
          {status.isChecked ? `No problems, checked ${status.checked}` : 'Not monitored here'}
        </a>
      )}
      {chosen.map(({ name, chosen: value, textOf, without }) => (
        <a
          key={name}
          className="chip"
          href={without}
          aria-label={`Remove the filter ${textOf(value)}`}
        >
          {textOf(value)} ×
        </a>
      ))}
      <details>
        <summary>Filters and days</summary>
        <form method="get" action="/console" className="beside capital" data-apply="">
          {period !== 'custom' && <Hidden fields={{ period }} />}
          <Field label="From" type="date" name="from" defaultValue={days.from} />
          <Field label="To" type="date" name="to" defaultValue={days.to} />
          {filters.map(({ name, chosen: value, choices, textOf }) => (
            <ChoiceField
              key={name}
              label={name}
              name={name}
              chosen={value}
              choices={choices}
              all="all"
              textOf={textOf}
            />
          ))}
          <ShowButton />
        </form>
      </details>
    </div>
  );
}

function Money(props: OverviewProps) {
  const { revenue, currencies, isRateMissing, rates, subscriptions } = props;
  return (
    <>
      <h2 className="part">Money</h2>
      <div className="money">
        <Charts {...props} charts={revenue} />
        <div>
          <Figures figures={rates} />
          {currencies.length > 0 && (
            <Fold title="Revenue by currency">
              <Table
                title="Revenue by currency"
                columns={[
                  'Currency',
                  ...details('First payments', 'Renewals'),
                  ...figures('Total', 'Change'),
                ]}
                rows={currencies}
                empty=""
              />
            </Fold>
          )}
        </div>
      </div>
      {isRateMissing && (
        <p className="quiet">
          To see revenue in one currency, add exchange rates as <code>reporting</code> to the{' '}
          <a href="/console/documents">settings as text</a>.
        </p>
      )}
      <Fold title="Subscriptions">
        <h2 className="part">Subscriptions</h2>
        <p className="quiet">All subscriptions. The filters do not apply to them.</p>
        {subscriptions ? (
          <Figures figures={subscriptions} />
        ) : (
          <p>Subscriptions cannot be loaded at the moment.</p>
        )}
      </Fold>
    </>
  );
}

function About({ isRunning, isOtherZone, isCompared, query }: OverviewProps) {
  return (
    <p className="quiet">
      {'Counts are at most two minutes old. '}
      {isRunning && 'The last point of each chart is incomplete so far. '}
      {isOtherZone && 'Periods that start more than three weeks ago use UTC days. '}
      {!isCompared && 'The previous period has too little data for a comparison. '}
      <a href={`/console/overview.csv?${query}`}>Download as CSV</a>
    </p>
  );
}

export function Overview(props: OverviewProps) {
  const { status, traffic, countries, variants, script } = props;
  return (
    <ConsoleLayout title="Overview" at="/console">
      {status.todo.length > 0 && <StatusLine {...status} />}
      <View {...props} />
      <FunnelChart {...props} />
      <Money {...props} />
      <h2 className="part">Visitors</h2>
      <Fold title="Visits and purchases by day">
        <Charts {...props} charts={traffic} />
      </Fold>
      <Marks {...props} />
      <Fold title="Countries">
        <Table
          title="Countries"
          columns={[
            'Country',
            ...details('Visitors', 'Purchases'),
            ...figures('Bought', 'Revenue'),
          ]}
          rows={countries}
          empty={noVisitors}
        />
      </Fold>
      <Fold title="Landings">
        <Landings {...props.landings} />
      </Fold>
      <Fold title="Variants">
        <Table
          title="Variants"
          columns={[
            'Variant',
            ...figures('Visitors'),
            ...details('Sign-ups', 'Signed up', 'Purchases'),
            ...figures('Bought'),
            { name: 'Experiments', className: 'detail' },
          ]}
          rows={variants}
          empty={noVisitors}
        />
      </Fold>
      <About {...props} />
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
