import { CheckField, Field, Hidden, SubmitButton } from '../../parts/field.tsx';
import { LanguageFields, type LanguageText } from '../../parts/language-fields.tsx';
import { ConsoleLayout, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { Table } from '../../parts/table.tsx';
import { TextTabs } from './text-tabs.tsx';

interface Row {
  address: string;
  text: string;
  source: string;
  name: string;
  marks: string;
}

interface ListProps {
  claims: readonly Row[];
  reviews: readonly Row[];
}

const rowsOf = (rows: readonly Row[], withName: boolean) =>
  rows.map(({ address, text, source, name, marks }) => ({
    name: source,
    key: address,
    cells: [
      <a key={address} href={address}>
        {text}
      </a>,
      ...(withName ? [name] : []),
      marks,
    ],
  }));

const New = ({ kind }: { kind: 'claims' | 'reviews' }) =>
  useMayPublish() && (
    <p className="actions">
      <a href={`/console/claims/edit?kind=${kind}`}>
        {kind === 'claims' ? 'New claim' : 'New review'}
      </a>
    </p>
  );

export function Claims({ claims, reviews }: ListProps) {
  return (
    <ConsoleLayout title="Claims and reviews" at="/console/texts">
      <TextTabs at="/console/claims" />
      <p className="quiet">
        Pages show each claim or review with its source. While none is published, pages outside
        production show samples, and production shows nothing.
      </p>
      <Table
        title="Claims"
        columns={['Source', 'Claim', 'Languages']}
        rows={rowsOf(claims, false)}
        empty="None is published. A new claim needs its source."
      >
        <New kind="claims" />
      </Table>
      <Table
        title="Reviews"
        columns={['Source', 'Review', 'By', 'Languages']}
        rows={rowsOf(reviews, true)}
        empty="None is published. Add a real review with its source."
      >
        <New kind="reviews" />
      </Table>
    </ConsoleLayout>
  );
}

interface EditProps {
  base: string;
  kind: 'claims' | 'reviews';
  isNew: boolean;
  /** Hidden fields that identify it. */
  id: readonly (readonly [string, string])[];
  source: string;
  name: string;
  img: string;
  about: string;
  abouts: readonly string[];
  maxLength: number;
  texts: readonly Omit<LanguageText, 'confirm'>[];
  /** A page that shows it, or the samples in its place. */
  screen: { id: string; words: string; address: string };
  /** Paths of the scripts that outline a text in the preview, and count while typing. */
  scripts: readonly string[];
  /** Errors by field. */
  problems: ReadonlyMap<string, string>;
}

function Reviewer({ name, img, about, abouts, problems }: EditProps) {
  return (
    <>
      <Field
        label="Name of the reviewer"
        name="name"
        defaultValue={name}
        maxLength={60}
        required
        problem={problems.get('name')}
      />
      <Field
        label="Picture (optional)"
        note="The path of a picture on this site, such as /img/anna.avif."
        name="img"
        defaultValue={img}
        maxLength={122}
        problem={problems.get('img')}
      />
      <label className="field">
        <span>Shown when the visitor looks for</span>
        <select name="about" defaultValue={about}>
          <option value="">anybody</option>
          {abouts.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </>
  );
}

const Fits = ({ tag }: Pick<LanguageText, 'tag'>) => (
  <CheckField
    type="checkbox"
    name="fits"
    value={tag}
    isChosen={false}
    label="It still matches the English text"
  />
);

function Preview({ kind, screen, scripts: [script = ''] }: EditProps) {
  return <Phones label={`Where ${kind} show`} screens={[screen]} script={script} />;
}

const Source = (props: EditProps & { isReview: boolean }) => (
  <>
    <Field
      label="Source, shown to visitors"
      note="Where anybody can verify it."
      placeholder="Name, year, link"
      name="source"
      defaultValue={props.source}
      maxLength={160}
      required
      problem={props.problems.get('source')}
    />
    {props.isReview && <Reviewer {...props} />}
  </>
);

export function EditClaim(props: EditProps) {
  const mayPublish = useMayPublish();
  const { base, kind, isNew, id, problems, texts } = props;
  const isReview = kind === 'reviews';
  const what = isReview ? 'review' : 'claim';
  const other = problems.get('');
  return (
    <ConsoleLayout
      title={`${isNew ? 'New' : 'Edit'} ${what}`}
      at="/console/texts"
      trail={[['Claims and reviews', '/console/claims']]}
    >
      {problems.size > 0 && (
        <NoticeLine kind="problem">
          {`Nothing was published. ${other ?? 'Correct the marked fields.'}`}
        </NoticeLine>
      )}
      <form
        method="post"
        action="/console/texts/review"
        className="with-phone languages"
        data-texts=""
      >
        <Hidden fields={{ base, claim: kind, ...Object.fromEntries(id) }} />
        <fieldset disabled={!mayPublish}>
          <LanguageFields
            texts={texts.map((one) => ({
              ...one,
              confirm: one.state === 'outdated' && <Fits tag={one.tag} />,
            }))}
            maxLength={props.maxLength}
            before={<Source {...props} isReview={isReview} />}
            preview={<Preview {...props} />}
          />
        </fieldset>
        <div className="beside bar-below">
          {mayPublish && <SubmitButton>Review the change</SubmitButton>}
          <a href="/console/claims">Back</a>
          <small>
            {`Languages without a text do not show this ${what}.`}
            {!isNew && ' Clear all fields to remove it.'}
          </small>
        </div>
      </form>
      {props.scripts[1] && <script type="module" src={props.scripts[1]} />}
    </ConsoleLayout>
  );
}
