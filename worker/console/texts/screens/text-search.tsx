import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { EntryList } from '../../parts/entry-list.tsx';
import { Field, Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';
import { figures, Table } from '../../parts/table.tsx';
import { TextTabs } from './text-tabs.tsx';

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
  screens: readonly {
    id: string;
    title: string;
    variants: string;
    count: number;
    wrong: number;
  }[];
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
      note: marks && <span className="chip warning">{marks}</span>,
      // A section names the first two parts of its keys.
      figure: <small>{isPart ? key.split('.').slice(2).join('.') : key}</small>,
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

/** So many texts stand without unfolding the others. */
const listed = 12;

const Section = ({ section, rows, isOpen = false }: SectionProps) => (
  <details className={isOpen ? 'card' : undefined} open={isOpen}>
    <summary>
      {section} <small>{rows.length}</small>
      {/^(Claims|Reviews)$/.test(section) && <small> samples that production does not show</small>}
      {marked(rows) > 0 && <span className="chip warning">{marked(rows)} to check</span>}
    </summary>
    <Rows rows={rows.slice(0, listed)} isPart />
    {rows.length > listed && (
      <details>
        <summary>{`Show ${rows.length - listed} more`}</summary>
        <Rows rows={rows.slice(listed)} isPart />
      </details>
    )}
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
    <>
      <p className="quiet">{`${count} texts; ${all}.`}</p>
      {first && <Section section={first[0]} rows={first[1]} isOpen />}
      <section className="card folds">
        <h2>Parts that other screens show too</h2>
        {shared.map(([section, own]) => (
          <Section key={section} section={section} rows={own} />
        ))}
      </section>
    </>
  );
}

function ScreenTable({ title, screens }: Pick<Props, 'screens'> & { title: string }) {
  return (
    <Table
      title={title}
      columns={['Screen', { name: 'Title', className: 'detail' }, ...figures('Texts'), 'Variants']}
      rows={screens.map(({ id, title: first, variants, count, wrong }) => ({
        name: screenName(id),
        note: id,
        key: id,
        href: addressOf(id),
        cells: [
          first,
          <span key={id}>
            {wrong > 0 && <span className="chip warning">{`${wrong} to check`}</span>} {count}
          </span>,
          variants,
        ],
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
  const { screen, languages, script, query } = props;
  return (
    <ConsoleLayout title={screenName(screen.id)} at="/console/texts">
      <div className="with-phone">
        <div className="stays">
          <Phones label="Preview" screens={[screen]} script={script} />
          {script && <p className="quiet waiting">Click a text to edit it.</p>}
        </div>
        <div>
          <form method="get" action="/console/texts" className="beside search" data-apply="">
            <Hidden fields={{ screen: screen.id }} />
            <Field label="Filter the texts" name="q" type="search" defaultValue={query} />
            <ChoiceField
              label="Language of the preview"
              name="lng"
              chosen={screen.lng}
              choices={languages}
              textOf={languageName}
            />
            <ShowButton />
          </form>
          {query ? <FoundTexts {...props} /> : <ScreenTexts {...props} />}
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
      <div className="view">
        <TextTabs at="/console/texts" />
        <span className="actions">
          <a href="/console/preview">Edit in the preview</a>
        </span>
      </div>
      <form method="get" action="/console/texts" className="beside search">
        <Field
          label="Words on the page, in any language"
          name="q"
          type="search"
          placeholder="know they’re OK"
          defaultValue={query}
        />
        <SubmitButton>Find</SubmitButton>
      </form>
      {(query || rows.length > 0) && found}
      {screens.length > 0 && <Screens screens={screens} />}
      {!query && rows.length === 0 && found}
    </ConsoleLayout>
  );
}
