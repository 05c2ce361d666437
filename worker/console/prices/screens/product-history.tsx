import { useContext } from 'react';
import { CountryField } from '../../parts/choice.tsx';
import { Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { ConsoleView, useMayPublish } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { countryName } from '../../parts/rules/names.ts';
import { Table } from '../../parts/table.tsx';

export interface HistoryLine {
  time: string;
  who: string;
  reason: string;
  lines: readonly string[];
}

interface SoldVersion {
  version: string;
  cost: string;
  isSold: boolean;
  /** Those that it is sold in, whatever others get. */
  countries: readonly string[];
}

export interface ProductHistoryProps {
  base: string;
  id: string;
  versions: readonly SoldVersion[];
  history: readonly HistoryLine[];
}

type SaleProps = SoldVersion & Pick<ProductHistoryProps, 'base' | 'id'>;

function SaleForms({ base, id, version, isSold, countries }: SaleProps) {
  return (
    <div className="lines">
      <form method="post" action="/console/prices/sells" className="beside">
        <Hidden fields={{ base, id, version }} />
        <CountryField label="Where" all={isSold ? 'choose a country' : 'everywhere'} chosen="" />
        <SecondButton>{`Sell at price ${version}`}</SecondButton>
      </form>
      {countries.map((country) => (
        <form key={country} method="post" action="/console/prices/sells" className="actions">
          <Hidden fields={{ base, id, version: '', country }} />
          <a href={`/console/prices/product?id=${id}&only=${country}`}>
            {`Change the price in ${countryName(country)}`}
          </a>
          <SubmitButton className="plain">
            {`Sell in ${countryName(country)} what others get`}
          </SubmitButton>
        </form>
      ))}
    </div>
  );
}

export function Versions({ base, id, versions }: ProductHistoryProps) {
  const mayPublish = useMayPublish();
  return (
    <Table
      title="Prices so far"
      stacks
      columns={['Number', 'Price', 'Sell it to new buyers']}
      rows={versions.map((one) => ({
        name: one.version,
        note: [
          ...(one.isSold ? ['sold now'] : []),
          ...one.countries.map((country) => `in ${countryName(country)}`),
        ].join(', '),
        isLive: one.isSold,
        cells: [one.cost, mayPublish && <SaleForms key="sale" {...one} {...{ base, id }} />],
      }))}
      empty=""
    />
  );
}

export function History({ history }: Pick<ProductHistoryProps, 'history'>) {
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
