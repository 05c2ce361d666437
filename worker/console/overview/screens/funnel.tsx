import { type ChangeProps, ChangeText } from '../../parts/change.tsx';
import { Bar } from '../../parts/figures.tsx';
import { Scroll } from '../../parts/layout.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';

export interface FunnelRowProps {
  name: string;
  /** Empty for a step of several screens. */
  id: string;
  href: string;
  arrived: string;
  /** Percent of the most visited step. */
  width: number;
  /** What `continued` is the share of. */
  passed: 'Continued' | 'Accepted';
  continued: string;
  /** The share in the period before. */
  before: string;
  lost: string;
  change: ChangeProps;
  seconds: string;
}

export interface FunnelStepProps extends FunnelRowProps {
  isWorst: boolean;
  screens: readonly FunnelRowProps[];
}

export const noVisitors =
  'No visitors were counted in this period. Choose a longer period or remove a filter.';

export interface FunnelProps {
  funnel: {
    steps: readonly FunnelStepProps[];
    /** Screens outside the steps, such as the one after a declined payment. */
    others: readonly { name: string; href: string; arrived: string }[];
  };
  bought: { share: string; text: string; change: ChangeProps };
  isCompared: boolean;
  /** The days of the view, and those that it is compared with. */
  when: string;
  /** Preview token of the pictures; empty for none. */
  frame: string;
}

interface RowProps extends FunnelRowProps, Pick<FunnelProps, 'frame' | 'isCompared'> {
  kind: 'step' | 'worst' | 'part';
  /** The screen that stands for the step; empty for a part of it. */
  picture: string;
}

function Row({ kind, picture, frame, isCompared, ...row }: RowProps) {
  const { name, id, href, arrived, width, passed, continued, before, lost, change, seconds } = row;
  return (
    <tr className={kind}>
      <th scope="row">
        <div>
          {picture && <Thumbnail screen={picture} frame={frame} />}
          <span>
            {href ? <a href={href}>{name}</a> : name} {id && <small>{id}</small>}
            {kind === 'worst' && <span className="chip warning">Lowest rate</span>}
          </span>
        </div>
      </th>
      <td className="figure visits" data-label="Visits">
        <span>{arrived}</span>
        <Bar width={width} />
      </td>
      <td className="figure" data-label={passed}>
        {continued && passed === 'Accepted' && <span className="soft wide">accepted </span>}
        {continued}
      </td>
      {isCompared && (
        <>
          <td className="figure" data-label="Before">
            {before}
          </td>
          <td className="figure" data-label="Change">
            {change.text && <ChangeText {...change} />}
          </td>
        </>
      )}
      <td className="figure" data-label="Lost">
        {lost}
      </td>
      <td className="figure" data-label="Median time">
        {seconds}
      </td>
    </tr>
  );
}

const columns = ['Visits', 'Continued', 'Before', 'Change', 'Lost', 'Median time'];

function Steps({ funnel, ...more }: Omit<FunnelProps, 'bought' | 'when'>) {
  const shown = columns.filter((name) => more.isCompared || !/^(Before|Change)$/.test(name));
  return (
    <table className="funnel">
      <thead>
        <tr>
          <th scope="col">Step</th>
          {shown.map((name) => (
            <th key={name} scope="col" className="figure" data-label={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {funnel.steps.flatMap(({ screens, isWorst, ...step }) => [
          <Row
            key={step.name}
            kind={isWorst ? 'worst' : 'step'}
            picture={step.id || (screens[0]?.id ?? '')}
            {...step}
            {...more}
          />,
          ...screens.map((row) => <Row key={row.id} kind="part" picture="" {...row} {...more} />),
        ])}
      </tbody>
    </table>
  );
}

/** The way from the first screen to the last, with what is lost at each step. */
export function FunnelChart({ bought, when, ...props }: FunnelProps) {
  const { steps, others } = props.funnel;
  return (
    <Scroll label="Funnel">
      <h2 className="headline">
        <strong>{bought.share}</strong> {bought.text}{' '}
        {bought.change.text && <ChangeText {...bought.change} />}
      </h2>
      <p className="quiet">{when}</p>
      {steps.length === 0 ? <p>{noVisitors}</p> : <Steps {...props} />}
      {others.length > 0 && (
        <p className="quiet">
          {'Outside the steps: '}
          {others.map(({ name, href, arrived }, at) => (
            <span key={href}>
              {at > 0 && ', '}
              <a href={href}>{name}</a> {arrived}
            </span>
          ))}
        </p>
      )}
      <details>
        <summary>How to read this</summary>
        <p className="quiet">
          “Continued” is the share of a screen’s visits in which the main button was pressed, “lost”
          the number of the others. “Accepted” is the share of an extra’s visits in which it was
          bought; who declines it also goes on, so nobody counts as lost. A change in grey can be
          chance (95% significance). Screens that replace each other in different variants are one
          step. Open a screen to see its countries, languages, devices, errors and web vitals.
        </p>
      </details>
    </Scroll>
  );
}
