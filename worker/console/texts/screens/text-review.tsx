import { SecondButton } from '../../parts/field.tsx';
import { NoticeLine } from '../../parts/layout.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName } from '../../parts/rules/names.ts';
import { differenceFrom } from '../../parts/rules/text-difference.ts';
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

interface WordsProps {
  tag: string;
  text: string;
  other: string;
  mark: 'ins' | 'del';
}

/** A text, with what the other one does not have marked. */
function Words({ tag, text, other, mark: Mark }: WordsProps) {
  const { start, middle, end } = differenceFrom(text, other);
  return (
    <span lang={tag} dir="auto">
      {start}
      {middle && <Mark>{middle}</Mark>}
      {end}
      {text === '' && 'empty'}
    </span>
  );
}

function Outdated({ behind, back }: Pick<Props, 'behind' | 'back'>) {
  const many = `${behind.length} ${behind.length === 1 ? 'translation becomes' : 'translations become'} outdated`;
  return (
    <NoticeLine kind="caution">
      <details>
        <summary>{many}</summary>
        <p>{`${behind.map(languageName).join(', ')}.`}</p>
      </details>
      <SecondButton form="publish" formAction={back} formNoValidate>
        Change them too
      </SecondButton>
    </NoticeLine>
  );
}

function Changes({ changes, behind, back }: Pick<Props, 'changes' | 'behind' | 'back'>) {
  return (
    <Table
      title="All changes"
      stacks
      columns={['Language', 'Now', 'New', 'Key']}
      rows={changes.map(({ tag, key, before, after }) => ({
        name: languageName(tag),
        key: `${tag} ${key}`,
        cells: [
          <Words key="before" tag={tag} text={before} other={after} mark="del" />,
          <Words key="after" tag={tag} text={after} other={before} mark="ins" />,
          <code key="key">{key}</code>,
        ],
      }))}
      empty=""
    >
      <p className="quiet">
        Every visitor in these languages gets the new texts within about a minute.
      </p>
      {behind.length > 0 && <Outdated behind={behind} back={back} />}
    </Table>
  );
}

export function TextReview(props: Props) {
  const { changes, differences, behind, screens, script, back } = props;
  const isEmpty = changes.length + differences.length === 0;
  return (
    <ReviewFrame
      {...props}
      title="Review the texts"
      at="/console/texts"
      action="/console/texts"
      isWhole={false}
      isEmpty={isEmpty}
      phone={
        screens.length > 0 && (
          <Phones label="With the new texts" screens={screens} script={script} />
        )
      }
    >
      {isEmpty && <p>Nothing changes: these texts are already live.</p>}
      {changes.length > 0 && <Changes {...{ changes, behind, back }} />}
      {differences.length > 0 && (
        <section className="card">
          <h2>Claims and reviews</h2>
          <Lines lines={differences} />
        </section>
      )}
    </ReviewFrame>
  );
}
