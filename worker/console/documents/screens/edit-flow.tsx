import { Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine, Problems, useMayPublish } from '../../parts/layout.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';
import { ScreenName } from '../../parts/screen-name.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { editOf } from './flows.tsx';

export interface EditFlowProps {
  base: string;
  name: string;
  variants: readonly string[];
  /** Whether the order differs from the published one. */
  isChanged: boolean;
  screens: readonly string[];
  choices: readonly string[];
  /** Preview token; empty if no preview is available. */
  frame: string;
  /** Path of the script for dragging. */
  script: string;
  problems: readonly string[];
  /** Where a screen was added; empty if none was. */
  notice: string;
}

const step = (value: string, label: string, text: string, disabled = false) => (
  <SubmitButton
    name="step"
    value={value}
    className={value === 'add' ? 'secondary' : 'plain'}
    formAction="/console/flows/edit"
    aria-label={label}
    disabled={disabled}
  >
    {text}
  </SubmitButton>
);

interface ScreenRowProps {
  screen: string;
  at: number;
  isLast: boolean;
  frame: string;
}

function ScreenRow({ screen, at, isLast, frame }: ScreenRowProps) {
  return (
    <li>
      <Hidden fields={{ screen }} />
      <Thumbnail screen={screen} frame={frame} />
      <span>
        <ScreenName id={screen} />
      </span>
      <span className="steps">
        {step(`up ${at}`, `Up: ${screenName(screen)}`, '←', at === 0)}
        {step(`down ${at}`, `Down: ${screenName(screen)}`, '→', isLast)}
        {step(`remove ${at}`, `Remove: ${screenName(screen)}`, 'Remove')}
      </span>
    </li>
  );
}

function AddScreen({ screens, choices }: Pick<EditFlowProps, 'screens' | 'choices'>) {
  return (
    <div className="beside">
      <label className="field">
        <span>Screen to add</span>
        <select name="added">
          {choices.map((id) => (
            <option key={id} value={id}>
              {`${screenName(id)} (${id})`}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Place</span>
        <select name="place">
          <option value="">its usual place</option>
          <option value="first">first</option>
          {screens.map((id) => (
            <option key={id} value={id}>{`after ${screenName(id)}`}</option>
          ))}
        </select>
      </label>
      {step('add', 'Add screen', 'Add')}
    </div>
  );
}

/** The order of a flow's screens; each button sends the form, so it needs no script. */
export function EditFlow(props: EditFlowProps) {
  const mayPublish = useMayPublish();
  const { base, name, variants, screens, choices, problems } = props;
  const { frame, script, notice, isChanged } = props;
  return (
    <ConsoleLayout title={`Flow ${name}`} at="/console/flows">
      <Problems problems={problems} />
      {notice && <NoticeLine kind="done">{notice}</NoticeLine>}
      {variants.length > 0 ? (
        <NoticeLine kind="caution">
          {`Visitors of ${variants.join(', ')} see this flow. Nothing changes for them before you publish.`}
        </NoticeLine>
      ) : (
        <p className="quiet">No variant uses this flow.</p>
      )}
      <form method="post" action="/console/flows/review">
        {/* Pressing Enter uses the first button, so it must not move anything. */}
        <fieldset disabled={!mayPublish} className="card flow">
          <Hidden fields={{ base, name, frame }} />
          <p className="last">
            <SubmitButton disabled={!isChanged}>Review the change</SubmitButton>{' '}
            {isChanged ? <a href={editOf(name)}>Discard</a> : <small>No changes yet</small>}
          </p>
          <ol className="order" data-order="">
            {screens.map((screen, at) => (
              <ScreenRow
                key={screen}
                {...{ screen, at, frame }}
                isLast={at === screens.length - 1}
              />
            ))}
          </ol>
          <AddScreen screens={screens} choices={choices} />
        </fieldset>
      </form>
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
