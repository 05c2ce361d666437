import { type ChangeProps, ChangeText } from '../../parts/change.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';
import { details, figures, Table, type TableRow } from '../../parts/table.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { noVisitors } from './funnel.tsx';

interface Props {
  screen: string;
  /** Such as `2026-11-01 to 2026-11-30, compared with 2026-10-02 to 2026-10-31`. */
  days: string;
  zone: string;
  filters: readonly string[];
  /** URL of the overview for this step. */
  back: string;
  arrived: string;
  continued: string;
  share: string;
  before: string;
  change: ChangeProps;
  frame: string;
  minVisits: number;
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

const Segments = ({ dimensions }: Pick<Props, 'dimensions'>) =>
  dimensions.map(({ name, rows }) => {
    const [title, column] = titles[name] ?? [name, name];
    return (
      <Table
        key={name}
        title={title}
        columns={[
          column,
          ...figures('Visits', 'Continued'),
          ...details('Before'),
          ...figures('Change'),
        ]}
        rows={rows}
        empty={noVisitors}
      />
    );
  });

export function StepView(props: Props) {
  const { screen, days, zone, filters, back, arrived, continued, share, before, change, frame } =
    props;
  return (
    <ConsoleLayout title={screenName(screen)} at={back}>
      <section className="card step-head" aria-label="Figures of this screen">
        <Thumbnail screen={screen} frame={frame} />
        <div>
          <p className="headline">
            <strong>{share}</strong> {`continued: ${continued} of ${arrived} visits.`}{' '}
            {change.text && (
              <>
                {`Before ${before}, `}
                <ChangeText {...change} />
              </>
            )}
          </p>
          <p className="quiet">
            {[days, zone, ...filters].join(' · ')}
            <small>{screen}</small>
          </p>
          <p className="actions">
            <a href={`/console/texts?screen=${screen}`}>Edit texts</a>
            <a href="/console/preview">Preview</a>
          </p>
        </div>
      </section>
      <p className="quiet">{`A row in grey has fewer than ${props.minVisits} visits, too few to compare. A change in grey can be chance.`}</p>
      <div className="pairs">
        <Segments dimensions={props.dimensions} />
        <Table
          title="Errors and refused input"
          columns={[
            'Problem',
            ...figures('Visits', 'Share'),
            ...details('Before'),
            ...figures('Change'),
          ]}
          rows={props.faults}
          empty="None in this period or the one before."
        >
          <p className="quiet">The typed text is not recorded.</p>
        </Table>
        <Table
          title="Web vitals"
          columns={['Metric', ...figures('75% within'), 'Rating', ...details('Measurements')]}
          rows={props.vitals}
          empty="Nothing was measured in this period."
        >
          {filters.length > 0 && (
            <p className="quiet">Of the filters, only the device applies here.</p>
          )}
        </Table>
      </div>
    </ConsoleLayout>
  );
}
