import { ChoiceField } from '../../parts/choice.tsx';
import { Field, Hidden, SecondButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';
import { bare, Table } from '../../parts/table.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';

export interface FlowsProps {
  flows: readonly {
    name: string;
    screens: readonly string[];
    variants: readonly string[];
    /** Preview token; empty for no pictures. */
    frame: string;
  }[];
  /** The flow that a new one starts from; empty while none is begun. */
  copied: string;
  /** Whether the aliases are a draft. */
  isDraft: boolean;
  aliases: readonly { alias: string; screen: string }[];
  screens: readonly string[];
  warnings: readonly string[];
  problems: readonly string[];
  base: string;
}

type AliasesProps = Pick<FlowsProps, 'aliases' | 'screens' | 'base' | 'isDraft'>;

/** URLs for campaigns. A row without a path is left out, which removes it. */
function Aliases({ aliases, screens, base, isDraft }: AliasesProps) {
  const mayPublish = useMayPublish();
  const rows = [...aliases, { alias: '', screen: '' }];
  return (
    <details className="card" open={isDraft}>
      <summary>
        Aliases <small>{aliases.length}</small>
      </summary>
      <form method="post" action="/console/flows/aliases">
        <Hidden fields={{ base }} />
        <fieldset disabled={!mayPublish}>
          <Table
            stacks
            title="Aliases"
            columns={['Alias', 'Address', 'Screen']}
            rows={rows.map(({ alias, screen }, at) => ({
              name: alias ? `/${alias}` : 'New alias',
              key: alias,
              cells: [
                <input
                  key="alias"
                  name="alias"
                  defaultValue={alias}
                  aria-label={`Address ${at + 1}`}
                  placeholder="spring-offer"
                />,
                <select
                  key="screen"
                  name="screen"
                  defaultValue={screen}
                  aria-label={`Screen ${at + 1}`}
                >
                  {screens.map((id) => (
                    <option key={id} value={id}>
                      {`${screenName(id)} (${id})`}
                    </option>
                  ))}
                </select>,
              ],
            }))}
            empty=""
          >
            <p className="quiet">Additional addresses of screens. Clear an address to remove it.</p>
          </Table>
          {mayPublish && (
            <p>
              <SecondButton>Review the aliases</SecondButton>
            </p>
          )}
        </fieldset>
      </form>
    </details>
  );
}

interface FlowTableProps {
  title: string;
  flows: FlowsProps['flows'];
  /** The flow that the others are compared with. */
  model: Pick<FlowsProps['flows'][number], 'name' | 'screens'>;
}

type WayProps = FlowsProps['flows'][number] & { model: readonly string[] };

/** The screens of a flow; those that the first flow does not have are bold. */
const Way = ({ screens, frame, model }: WayProps) => (
  <ol className={frame ? 'way pictures' : 'way'}>
    {screens.map((screen) => (
      <li key={screen}>
        <Thumbnail screen={screen} frame={frame} />
        {model.includes(screen) ? screenName(screen) : <b>{screenName(screen)}</b>}
      </li>
    ))}
  </ol>
);

export const editOf = (name: string) => `/console/flows/edit?name=${encodeURIComponent(name)}`;

function FlowTable({ title, flows, model }: FlowTableProps) {
  const mayPublish = useMayPublish();
  return (
    <Table
      stacks
      title={title}
      columns={['Flow', ...bare('Screens'), 'Used by (share)', ...bare('Action')]}
      rows={flows.map((flow) => ({
        name: flow.name,
        href: editOf(flow.name),
        cells: [
          <Way key={flow.name} {...flow} model={model.screens} />,
          flow.variants.join(', ') || 'no variant',
          mayPublish && (
            <span key={flow.name} className="actions">
              <a href={`/console/flows?copy=${encodeURIComponent(flow.name)}#new`}>Duplicate</a>
            </span>
          ),
        ],
      }))}
      empty="No variant has a flow."
    >
      <p className="quiet">{`Bold: screens that “${model.name}” does not have.`}</p>
    </Table>
  );
}

export function Flows(props: FlowsProps) {
  const { flows, warnings, problems, copied } = props;
  const used = flows.filter(({ variants }) => variants.length > 0);
  const unused = flows.filter(({ variants }) => variants.length === 0);
  const model = used[0] ?? flows[0] ?? { name: '', screens: [] };
  return (
    <ConsoleLayout title="Flows" at="/console/flows">
      <Problems problems={problems} />
      {warnings.length > 0 && (
        <NoticeLine kind="caution">
          <ul className="plain">
            {warnings.map((warning) => (
              <li key={warning}>
                {warning}{' '}
                {/visitor|variant/.test(warning) && (
                  <a href="/console/experiments">Change the split</a>
                )}
              </li>
            ))}
          </ul>
        </NoticeLine>
      )}
      <FlowTable title="Used by a variant" flows={used} model={model} />
      {unused.length > 0 && (
        <details className="card">
          <summary>{`${unused.length} flows that no variant uses`}</summary>
          <FlowTable title="Unused flows" flows={unused} model={model} />
        </details>
      )}
      <details className="card" id="new" open={copied !== ''}>
        <summary>New flow</summary>
        <form method="get" action="/console/flows/edit" className="beside">
          <Field label="Name of a new flow" name="name" pattern="[\w\-]{1,64}" required />
          <ChoiceField
            label="Start as a copy of"
            name="copy"
            chosen={copied || 'default'}
            choices={flows.map(({ name }) => name)}
            all="nothing"
          />
          <SecondButton>Continue</SecondButton>
        </form>
      </details>
      <Aliases {...props} />
    </ConsoleLayout>
  );
}
