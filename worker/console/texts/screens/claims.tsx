import { Field, Hidden } from '../../parts/field.tsx';
import { LanguageField } from '../../parts/language-field.tsx';
import { ConsoleLayout, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';

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
      <p className="quiet">
        Pages show each claim or review with its source. While none is published, pages outside
        production show samples, and production shows nothing.
      </p>
      <Table
        title="Claims"
        columns={['Source', 'Claim', 'Languages']}
        rows={rowsOf(claims, false)}
        empty="None published. Write a claim with its source, and publish it in every language."
      >
        <New kind="claims" />
      </Table>
      <Table
        title="Reviews"
        columns={['Source', 'Review', 'By', 'Languages']}
        rows={rowsOf(reviews, true)}
        empty="None published. Add a real review with its source; invented ones are not allowed."
      >
        <New kind="reviews" />
      </Table>
      <p>
        <a href="/console/texts/versions">Versions of the texts</a>
      </p>
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
  texts: readonly { tag: string; name: string; state: string; text: string }[];
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

function Translations({ texts, maxLength, problems, isNew }: EditProps) {
  return (
    <div className="texts">
      {texts.map(({ tag, name, state, text }, at) => (
        <div key={tag} className={at === 0 ? 'model' : undefined}>
          <LanguageField
            tag={tag}
            name={name}
            state={isNew ? '' : state}
            text={text}
            maxLength={maxLength}
            problem={problems.get(`text.${tag}`)}
          />
          {state === 'outdated' && (
            <label>
              <input type="checkbox" className="tick" name="fits" defaultValue={tag} /> It still
              matches the English text
            </label>
          )}
        </div>
      ))}
    </div>
  );
}

export function EditClaim(props: EditProps) {
  const mayPublish = useMayPublish();
  const { base, kind, isNew, id, problems } = props;
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
      <form method="post" action="/console/texts/review">
        <Hidden fields={{ base, claim: kind, ...Object.fromEntries(id) }} />
        <fieldset disabled={!mayPublish}>
          <div className="texts">
            <Field
              label="Source, shown to visitors"
              name="source"
              defaultValue={props.source}
              maxLength={160}
              required
              problem={problems.get('source')}
            />
            {isReview && <Reviewer {...props} />}
          </div>
          <h2 className="part">{`The ${what} in each language`}</h2>
          <p className="quiet">
            {`At most ${props.maxLength} characters each. Languages without a text do not show this ${what}.`}
          </p>
          <Translations {...props} />
        </fieldset>
        <div className="beside bar-below">
          {mayPublish && <button type="submit">Review the change</button>}
          <a href="/console/claims">Back</a>
          {!isNew && (
            <small>
              {`Clear a field to hide this ${what} in that language. Clear all fields to remove it.`}
            </small>
          )}
        </div>
      </form>
    </ConsoleLayout>
  );
}
