import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { EntryList } from '../../parts/entry-list.tsx';
import { Field } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';
import { Table } from '../../parts/table.tsx';

interface Row {
  key: string;
  /** The part of the pages that it belongs to. */
  section: string;
  english: string;
  marks: string;
}

interface Props {
  /** After a publication: URL of a page that shows the text; empty if there is none. */
  published: string | null;
  query: string;
  /** Screens to choose from; empty after a search. */
  screens: readonly { id: string; title: string; variants: string }[];
  /** The screen whose texts are listed, with its preview. */
  screen: { id: string; address: string; lng: string } | null;
  languages: readonly string[];
  rows: readonly Row[];
  /** How many texts were found; the first of them are `rows`. */
  count: number;
  script: string;
}

const addressOf = (id: string) => `/console/texts?${new URLSearchParams({ screen: id })}`;

const marked = (rows: readonly Row[]) => rows.filter(({ marks }) => marks).length;

const Rows = ({ rows, isPart = false }: Pick<Props, 'rows'> & { isPart?: boolean }) => (
  <EntryList
    entries={rows.map(({ key, english, marks }) => ({
      key,
      time: '',
      title: (
        <a href={`/console/texts/edit?key=${encodeURIComponent(key)}`}>{english || 'empty'}</a>
      ),
      // A section names the first two parts of its keys.
      note: isPart ? key.split('.').slice(2).join('.') : key,
      figure: marks && <span className="chip warning">{marks}</span>,
    }))}
  />
);

function FoundTexts({ rows, query, count }: Props) {
  const title = query ? `Texts with “${query}”` : 'Changed, missing and outdated texts';
  const none = query
    ? 'No text contains these words. They may be in a claim, a review or a legal page.'
    : 'None: every language is complete, and no text was changed.';
  const more =
    count > rows.length ? ` The first ${rows.length} are listed: search for more words.` : '';
  return (
    <section className="card">
      <h2>{title}</h2>
      <p className="quiet">
        {count === 0 ? none : `${count} ${count === 1 ? 'text' : 'texts'}.${more}`}
      </p>
      <Rows rows={rows} />
    </section>
  );
}

interface SectionProps extends Pick<Props, 'rows'> {
  section: string;
  isOpen?: boolean;
}

const Section = ({ section, rows, isOpen = false }: SectionProps) => (
  <details className={isOpen ? 'card' : undefined} open={isOpen}>
    <summary>
      {section} <small>{rows.length}</small>
      {/^(Claims|Reviews)$/.test(section) && (
        <small> with samples that production does not show</small>
      )}
      {marked(rows) > 0 && <span className="chip warning">{marked(rows)} to check</span>}
    </summary>
    <Rows rows={rows} isPart />
  </details>
);

/** Every text of a screen by section; its own section is open. */
function ScreenTexts({ rows, count }: Props) {
  const wrong = marked(rows);
  const [first, ...shared] = Map.groupBy(rows, ({ section }) => section);
  const all =
    wrong > 0
      ? `${wrong} are changed, missing or outdated in a language`
      : 'all are translated into every language';
  return (
    <div>
      <p className="quiet">{`${count} texts; ${all}.`}</p>
      {first && <Section section={first[0]} rows={first[1]} isOpen />}
      <section className="card folds">
        <h2>Parts that other screens show too</h2>
        {shared.map(([section, own]) => (
          <Section key={section} section={section} rows={own} />
        ))}
      </section>
    </div>
  );
}

function ScreenTable({ title, screens }: Pick<Props, 'screens'> & { title: string }) {
  return (
    <Table
      title={title}
      columns={['Screen', { name: 'Id', className: 'detail' }, 'Variants']}
      rows={screens.map(({ id, title: first, variants }) => ({
        name: screenName(id),
        note: first,
        key: id,
        href: addressOf(id),
        cells: [<small key={id}>{id}</small>, variants],
      }))}
      empty=""
    />
  );
}

function Screens({ screens }: Pick<Props, 'screens'>) {
  const used = screens.filter(({ variants }) => variants);
  const unused = screens.filter(({ variants }) => !variants);
  return (
    <>
      <ScreenTable title="Screens that visitors see" screens={used} />
      <details className="card">
        <summary>{`${unused.length} screens that no variant uses`}</summary>
        <ScreenTable title="Unused screens" screens={unused} />
      </details>
    </>
  );
}

function OneScreen(props: Props & { screen: NonNullable<Props['screen']> }) {
  const { screen, languages, script } = props;
  return (
    <ConsoleLayout title={screenName(screen.id)} at="/console/texts">
      <form method="get" action="/console/texts" className="beside" data-apply="">
        <input type="hidden" name="screen" defaultValue={screen.id} />
        <ChoiceField
          label={<span>Language of the preview</span>}
          name="lng"
          chosen={screen.lng}
          choices={languages}
          textOf={languageName}
        />
        <ShowButton />
      </form>
      <div className="with-phone">
        <ScreenTexts {...props} />
        <div className="stays">
          <Phones label="Preview" screens={[screen]} script={script} />
          {script && <p className="quiet waiting">Click a text to edit it.</p>}
        </div>
      </div>
    </ConsoleLayout>
  );
}

export function TextSearch(props: Props) {
  const { published, query, rows, screens, screen } = props;
  if (screen) return <OneScreen {...props} screen={screen} />;
  const found = <FoundTexts {...props} />;
  return (
    <ConsoleLayout title="Texts" at="/console/texts">
      {published !== null && (
        <NoticeLine kind="done">
          Published. Visitors see the change within about a minute.{' '}
          {published && <a href={published}>Open the page</a>}{' '}
          <a href="/console/texts/versions">Roll back to an earlier version</a>
        </NoticeLine>
      )}
      <form method="get" action="/console/texts" className="beside search">
        <Field label="Words on the page, in any language" name="q" defaultValue={query} />
        <button type="submit">Find</button>
      </form>
      <p className="beside">
        <a href="/console/preview">Edit in the preview</a>
        <a href="/console/claims">Claims and reviews</a>
        <a href="/console/texts/versions">Versions of the texts</a>
      </p>
      {(query || rows.length > 0) && found}
      {screens.length > 0 && <Screens screens={screens} />}
      {!query && rows.length === 0 && found}
    </ConsoleLayout>
  );
}
