import { NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { Table } from '../../parts/table.tsx';
import { ReviewFrame, type ReviewFrameProps } from '../../publishing/screens/review-frame.tsx';

interface Props
  extends Pick<
    ReviewFrameProps,
    'fields' | 'back' | 'isForm' | 'conflict' | 'problem' | 'warnings' | 'schedule'
  > {
  changes: readonly { tag: string; key: string; before: string; after: string }[];
  differences: readonly string[];
  /** Languages whose translation becomes outdated. */
  behind: readonly string[];
  screens: readonly { id: string; note: string; address: string; words: string }[];
  /** Path of the script that highlights the new text. */
  script: string;
}

const Words = ({ tag, text }: { tag: string; text: string }) => (
  <span lang={tag} dir="auto">
    {text || 'empty'}
  </span>
);

function Changes({ changes, behind }: Pick<Props, 'changes' | 'behind'>) {
  return (
    <Table
      title="All changes"
      stacks
      columns={['Language', 'Now', 'New', 'Key']}
      rows={changes.map(({ tag, key, before, after }) => ({
        name: languageName(tag),
        key: `${tag} ${key}`,
        cells: [
          <Words key="before" tag={tag} text={before} />,
          <Words key="after" tag={tag} text={after} />,
          key,
        ],
      }))}
      empty=""
    >
      <p className="quiet">
        Every visitor in these languages gets the new texts within about a minute.
      </p>
      {behind.length > 0 && (
        <NoticeLine kind="caution">
          <strong>{`These translations become outdated: ${behind.map(languageName).join(', ')}.`}</strong>{' '}
          Go back to change them too.
        </NoticeLine>
      )}
    </Table>
  );
}

export function TextReview(props: Props) {
  const { changes, differences, behind, screens, script } = props;
  const isEmpty = changes.length + differences.length === 0;
  return (
    <ReviewFrame
      {...props}
      title="Review the texts"
      at="/console/texts"
      action="/console/texts"
      isWhole={false}
      isEmpty={isEmpty}
    >
      {isEmpty && <p>Nothing changes: these texts are already live.</p>}
      {changes.length > 0 && <Changes changes={changes} behind={behind} />}
      {differences.length > 0 && (
        <section className="card">
          <h2>Claims and reviews</h2>
          <Lines lines={differences} />
        </section>
      )}
      {screens.length > 0 && (
        <Phones label="With the new texts" screens={screens} script={script} />
      )}
    </ReviewFrame>
  );
}
