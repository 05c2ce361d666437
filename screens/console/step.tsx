import { ConsoleLayout } from './layout.tsx';
import { Table, type TableRow } from './table.tsx';

interface Props {
  screen: string;
  days: { from: string; to: string };
  zone: string;
  /** Such as `country DE`. */
  filters: readonly string[];
  /** URL of the overview for this step. */
  back: string;
  arrived: string;
  continued: string;
  dimensions: readonly { name: string; rows: readonly TableRow[] }[];
  faults: readonly TableRow[];
  vitals: readonly TableRow[];
}

const titles: Record<string, readonly [string, string]> = {
  country: ['Countries', 'Country'],
  language: ['Languages', 'Language'],
  device: ['Devices', 'Device'],
  source: ['Sources', 'Source'],
};

export function Step(props: Props) {
  const { screen, days, zone, filters, back, arrived, continued } = props;
  return (
    <ConsoleLayout title={screen} at="/console">
      <p>
        <a href={back}>Back to the overview</a>
      </p>
      <p className="quiet">
        {[`${days.from} to ${days.to}, ${zone}`, ...filters].join(' · ')}
        {`. ${arrived} visits arrived, ${continued} continued.`}
      </p>
      <div className="pairs">
        {props.dimensions.map(({ name, rows }) => {
          const [title, column] = titles[name] ?? [name, name];
          return (
            <Table
              key={name}
              title={title}
              columns={[column, 'Arrived', 'Continued', 'Share', 'Share before']}
              rows={rows}
              empty="Nobody in this period."
            />
          );
        })}
        <Table
          title="Errors and refused input"
          columns={['What', 'Visits', 'Share', 'Share before']}
          rows={props.faults}
          empty=""
        >
          <p className="quiet">What was typed is not recorded.</p>
        </Table>
        <Table
          title="Web vitals"
          columns={['Figure', 'p75', 'Verdict', 'Measured']}
          rows={props.vitals}
          empty="Nothing was measured in this period."
        >
          <p className="quiet">
            Three of four visits had at most the p75. Of all countries, languages and sources; a
            chosen device counts.
          </p>
        </Table>
      </div>
    </ConsoleLayout>
  );
}
