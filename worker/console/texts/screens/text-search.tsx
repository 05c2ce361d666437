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
  return (
    <Table
      title={titleOf(props)}
      columns={['English', 'Changed, missing or outdated in', 'Key']}
      rows={rows.map(({ key, english, marks }) => ({
        key,
        name: english || 'empty',
        href: `/console/texts/edit?key=${encodeURIComponent(key)}`,
        cells: [marks, key],
      }))}
      empty={
        query
          ? 'No text contains these words. They may be in a claim, a review or a legal page.'
          : 'None: every language is complete, and no text was changed.'
      }
    />
  );
}

export function TextSearch(props: Props) {
  const { published, query, screens, screen, isFull, script, languages } = props;
  return (
    <ConsoleLayout title="Texts" at="/console/texts">
      {published !== null && (
        <NoticeLine kind="done">
          Published. Visitors see the change within about a minute.{' '}
          {published && <a href={published}>Open the page</a>}{' '}
          <a href="/console/texts/versions">Roll back to an earlier version</a>
        </NoticeLine>
      )}
      <form method="get" action="/console/texts" className="beside">
        <label className="field">
          <span>Words on the page, in any language</span>
          <input name="q" defaultValue={query} />
        </label>
        <button type="submit">Find</button>
        <a href="/console/preview">Click a text in the preview</a>
        <a href="/console/claims">Claims and reviews</a>
        <a href="/console/texts/versions">Versions of the texts</a>
      </form>
      {screens.length > 0 && (
        <Table
          title="Screens"
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
        <FoundTexts {...props} />
      )}
      {isFull && (
        <p className="quiet">
          Only the first results are shown. Search for more words to narrow them down.
        </p>
      )}
    </ConsoleLayout>
  );
}
