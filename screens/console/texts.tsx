import { LanguageField } from './language-field.tsx';
import { ConsoleLayout, type ConsolePerson, Notice, Time } from './layout.tsx';
import { Scheduled, type ScheduledProps } from './scheduled.tsx';
import { Table } from './table.tsx';

interface EditedText {
  tag: string;
  name: string;
  state: string;
  text: string;
  builtIn: string;
  /** The text whose placeholders it must contain. */
  model: string;
  problem: string;
}

interface EditProps {
  person: ConsolePerson;
  mayPublish: boolean;
  base: string;
  english: string;
  textKey: string;
  /** Placeholders that every language must contain, such as `{{price}}`. */
  placeholders: readonly string[];
  texts: readonly EditedText[];
  /** Path of the script that validates while typing. */
  script: string;
}

export function TextEdit(props: EditProps) {
  const { person, mayPublish, base, english, textKey, placeholders, texts, script } = props;
  return (
    <ConsoleLayout title="Edit a text" at="/console/texts" person={person}>
      <p className="quiet">
        {textKey}
        {placeholders.length > 0 && `. Keep in every language: ${placeholders.join(' ')}`}
      </p>
      {texts.some(({ problem }) => problem) && (
        <Notice kind="problem">Visitors would not get these texts. Nothing was published.</Notice>
      )}
      <form method="post" action="/console/texts/review" data-texts="">
        <input type="hidden" name="base" defaultValue={base} />
        <input type="hidden" name="key" defaultValue={textKey} />
        <input type="hidden" name="english" defaultValue={english} />
        <fieldset disabled={!mayPublish} className="texts">
          {texts.map((one) => (
            <div key={one.tag}>
              <LanguageField {...one} maxLength={2000} />
              {one.state === 'outdated' && mayPublish && (
                <button
                  type="submit"
                  className="secondary"
                  formAction="/console/texts/confirm"
                  name="confirm"
                  value={one.tag}
                  aria-label={`${one.name} still says what English says`}
                >
                  Still right
                </button>
              )}
            </div>
          ))}
        </fieldset>
        <p className="quiet">Empty a field to have the built-in text again.</p>
        <div className="beside">
          {mayPublish && <button type="submit">Review the change</button>}
          <a href="/console/texts">Back</a>
        </div>
      </form>
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}

interface VersionsProps extends ScheduledProps {
  person: ConsolePerson;
  mayPublish: boolean;
  versions: readonly { id: string; time: string; who: string; reason: string; isLive: boolean }[];
}

export function TextVersions({ person, mayPublish, versions, ...scheduled }: VersionsProps) {
  return (
    <ConsoleLayout title="Versions of the texts" at="/console/texts" person={person}>
      <p>
        Of texts, claims and reviews only.{' '}
        <a href="/console/versions">Versions of experiments and flows</a>
      </p>
      <Scheduled {...scheduled} mayPublish={mayPublish} kind="content" />
      <Table
        title="Published versions"
        columns={['Version', 'Published', 'By', 'Reason', 'Action']}
        rows={versions.map(({ id, time, who, reason, isLive }) => ({
          name: id,
          cells: [
            <Time key={id} at={time} />,
            who,
            reason,
            isLive
              ? 'live'
              : mayPublish && (
                  <form key={id} method="post" action="/console/texts/review">
                    <input type="hidden" name="version" defaultValue={id} />
                    <button type="submit" className="secondary">
                      Go back to it
                    </button>
                  </form>
                ),
          ],
        }))}
        empty=""
      />
    </ConsoleLayout>
  );
}
