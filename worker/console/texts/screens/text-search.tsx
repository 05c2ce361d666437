import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { screenName } from '../../parts/rules/screen-names.ts';
import { Table } from '../../parts/table.tsx';

interface Props {
  /** After a publication: URL of a page that shows the text; empty if there is none. */
  published: string | null;
  query: string;
  /** Screens to choose from; empty after a search. */
  screens: readonly { id: string; title: string; variants: string }[];
  /** The screen whose texts are listed, with its preview. */
  screen: { id: string; address: string; lng: string } | null;
  languages: readonly string[];
  rows: readonly { key: string; english: string; marks: string }[];
  isFull: boolean;
  script: string;
}

const addressOf = (id: string) => `/console/texts?${new URLSearchParams({ screen: id })}`;

function titleOf({ query, screen }: Pick<Props, 'query' | 'screen'>): string {
  if (screen) return `Texts of ${screenName(screen.id)}`;
  return query ? `Texts with “${query}”` : 'Changed, missing and outdated texts';
}

function FoundTexts(props: Props) {
  const { rows, query } = props;
  const marked = rows.filter(({ marks }) => marks).length;
  return (
    <Table
      title={titleOf(props)}
      columns={['English', ...(marked > 0 ? ['Changed, missing or outdated in'] : [])]}
      rows={rows.map(({ key, english, marks }) => ({
        key,
        name: english || 'empty',
        note: key,
        href: `/console/texts/edit?key=${encodeURIComponent(key)}`,
        cells: marked > 0 ? [marks] : [],
      }))}
      empty={
        query
          ? 'No text contains these words. They may be in a claim, a review or a legal page.'
          : 'None: every language is complete, and no text was changed.'
      }
    >
      {rows.length > 0 && (
        <p className="quiet">
          {`${rows.length} texts. ${marked > 0 ? `${marked} of them are changed, missing or outdated in a language.` : 'All are translated into every language.'}`}
        </p>
      )}
    </Table>
  );
}

export function TextSearch(props: Props) {
  const { published, query, rows, screens, screen, isFull, script, languages } = props;
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
        <label className="field">
          <span>Words on the page, in any language</span>
          <input name="q" defaultValue={query} />
        </label>
        <button type="submit">Find</button>
      </form>
      <p className="beside">
        <a href="/console/preview">Click a text in the preview</a>
        <a href="/console/claims">Claims and reviews</a>
        <a href="/console/texts/versions">Versions of the texts</a>
      </p>
      {!query && !screen && rows.length > 0 && <FoundTexts {...props} />}
      {screens.length > 0 && (
        <Table
          title="Screens"
          stacks
          columns={['Screen', 'Title', 'Variants']}
          rows={screens.map(({ id, title, variants }) => ({
            name: screenName(id),
            note: id,
            href: addressOf(id),
            cells: [title, variants],
          }))}
          empty=""
        />
      )}
      {screen && (
        <form method="get" action="/console/texts" className="beside" data-apply="">
          <input type="hidden" name="screen" defaultValue={screen.id} />
          <ChoiceField
            label={<span>Language</span>}
            name="lng"
            chosen={screen.lng}
            choices={languages}
            textOf={languageName}
          />
          <ShowButton />
        </form>
      )}
      {script && <p className="quiet waiting">Click a text to edit it.</p>}
      {screen ? (
        <div className="with-phone">
          <Phones label="Preview" screens={[screen]} script={script} />
          <FoundTexts {...props} />
        </div>
      ) : (
        (query || rows.length === 0) && <FoundTexts {...props} />
      )}
      {isFull && (
        <p className="quiet">
          Only the first results are shown. Search for more words to narrow them down.
        </p>
      )}
    </ConsoleLayout>
  );
}
