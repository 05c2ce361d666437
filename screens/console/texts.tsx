import { LanguageField } from './language-field.tsx';
import { ConsoleLayout, type ConsolePerson, Notice, Time } from './layout.tsx';
import {
  PublishFields,
  Scheduled,
  type ScheduledProps,
  type ScheduleFields,
} from './scheduled.tsx';
import { Table } from './table.tsx';

interface SearchProps {
  person: ConsolePerson;
  notice: string;
  query: string;
  rows: readonly { key: string; english: string; marks: string }[];
  /** Whether there are more. */
  isFull: boolean;
}

export function TextSearch({ person, notice, query, rows, isFull }: SearchProps) {
  return (
    <ConsoleLayout title="Texts" at="/console/texts" person={person}>
      {notice && <Notice kind="done">{notice}</Notice>}
      <form method="get" action="/console/texts" className="beside">
        <label className="field">
          <span>Words on the page, or a key</span>
          <input name="q" defaultValue={query} />
        </label>
        <button type="submit">Find</button>
        <a href="/console/claims">Claims and reviews</a>
        <a href="/console/texts/versions">Versions</a>
      </form>
      <Table
        title={query ? `Texts with “${query}”` : 'Texts that differ between languages'}
        columns={['Key', 'English', 'Languages']}
        rows={rows.map(({ key, english, marks }) => ({
          name: key,
          cells: [
            <a key={key} href={`/console/texts/edit?key=${encodeURIComponent(key)}`}>
              {english || 'empty'}
            </a>,
            marks,
          ],
        }))}
        empty={
          query
            ? 'No text has these words. They may be a claim, a review, or of a legal page.'
            : 'None: every language is complete.'
        }
      />
      {isFull && <p className="quiet">Only the first ones are shown. Write more words.</p>}
    </ConsoleLayout>
  );
}

interface EditedText {
  tag: string;
  name: string;
  state: string;
  text: string;
  builtIn: string;
  /** What it must have the placeholders of. */
  model: string;
  problem: string;
}

interface EditProps {
  person: ConsolePerson;
  mayPublish: boolean;
  base: string;
  /** What visitors read in English now. */
  english: string;
  textKey: string;
  /** What every language must contain, such as `{{price}}`. */
  placeholders: readonly string[];
  texts: readonly EditedText[];
  /** Address of the script that checks while somebody types. */
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

interface ReviewProps extends ScheduleFields {
  person: ConsolePerson;
  differences: readonly string[];
  /** Fields of the form that publishes. */
  fields: readonly (readonly [string, string])[];
  back: string;
  conflict: boolean;
  warnings: readonly string[];
  /** Why it was not scheduled. */
  problem: string;
}

export function TextReview(props: ReviewProps) {
  const { person, differences, fields, back, conflict, warnings, problem, ...schedule } = props;
  return (
    <ConsoleLayout title="Review the texts" at="/console/texts" person={person}>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {conflict && (
        <Notice kind="problem">
          Somebody published other texts since. Nothing of yours was published yet. Below is what
          yours changes now; everything else of theirs stays.
        </Notice>
      )}
      <section className="card">
        <h2>Every change</h2>
        {differences.length === 0 && <p>Nothing changes: these texts are live already.</p>}
        <ul>
          {differences.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      {warnings.length > 0 && (
        <section className="card">
          <h2>Check before you publish</h2>
          <ul>
            {warnings.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      <form method="post" action="/console/texts/publish" className="beside">
        {fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} defaultValue={value} />
        ))}
        {differences.length > 0 && (
          <PublishFields {...schedule} scheduleAction="/console/texts/schedule" />
        )}
        <a href={back}>Back</a>
      </form>
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
