import { ConsoleLayout } from '../../parts/layout.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';
import { figures, Table, type TableRow } from '../../parts/table.tsx';

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

export function StepView(props: Props) {
  const { screen, days, zone, filters, back, arrived, continued } = props;
  return (
    <ConsoleLayout title={screenName(screen)} at="/console">
      <p>
        <a href={back}>Back to the overview</a>
      </p>
      <p className="quiet">
        {[screen, `${days.from} to ${days.to}, ${zone}`, ...filters].join(' · ')}
        {`. ${arrived} visits arrived, ${continued} continued.`}
      </p>
      <div className="pairs">
        {props.dimensions.map(({ name, rows }) => {
          const [title, column] = titles[name] ?? [name, name];
          return (
            <Table
              key={name}
              title={title}
              columns={[column, ...figures('Arrived', 'Continued', 'Rate', 'Previous rate')]}
              rows={rows}
              empty="No visitors in this period."
            />
          );
        })}
        <Table
          title="Errors and refused input"
          columns={['Problem', ...figures('Visits', 'Share', 'Previous share')]}
          rows={props.faults}
          empty=""
        >
          <p className="quiet">The typed text is not recorded.</p>
        </Table>
        <Table
          title="Web vitals"
          columns={['Metric', ...figures('p75'), 'Rating', ...figures('Measurements')]}
          rows={props.vitals}
          empty="Nothing was measured in this period."
        >
          <p className="quiet">
            In 75 % of visits the value was at most p75. Of the filters, only the device applies
            here.
          </p>
        </Table>
      </div>
    </ConsoleLayout>
  );
}
