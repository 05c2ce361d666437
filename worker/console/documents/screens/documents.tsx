import { Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, Problems, useMayPublish } from '../../parts/layout.tsx';

export interface EditedDocument {
  key: string;
  field: string;
  text: string;
  /** Its parts, such as `offers`, with their lines. */
  parts: readonly { name: string; line: number }[];
  /** Lines with an error. */
  wrong: readonly number[];
}

export interface EditDocumentsProps {
  documents: readonly EditedDocument[];
  /** Fingerprint of the version that the editor started from. */
  base: string;
  problems: readonly string[];
}

/** Numbers for lines that are added while typing; what the box does not reach is cut off. */
const spareLines = 200;

function Code({ key, field, text, parts, wrong }: EditedDocument) {
  const count = text.split('\n').length;
  return (
    <details key={key} className="card" open={field === 'config' || wrong.length > 0}>
      <summary>
        {key} <small>{`${count} lines`}</small>
      </summary>
      <p className="parts">
        {parts.map(({ name, line }) => (
          <a key={name} href={`#${field}-${line}`}>
            {name} <small>{`line ${line}`}</small>
          </a>
        ))}
      </p>
      <div className="code">
        <ol aria-hidden="true">
          {Array.from({ length: count + spareLines }, (_, at) => at + 1).map((line) => (
            <li
              key={line}
              id={line <= count ? `${field}-${line}` : undefined}
              className={wrong.includes(line) ? 'wrong' : undefined}
            />
          ))}
        </ol>
        <textarea
          name={field}
          rows={count}
          wrap="off"
          spellCheck={false}
          dir="ltr"
          aria-label={key}
          aria-invalid={wrong.length > 0 ? true : undefined}
          defaultValue={text}
        />
      </div>
    </details>
  );
}

/** Such as `#config-6` for a problem in line 6 of config.json. */
function lineOf(problem: string): string | null {
  const [, field, line] = /^(\w+)\.json line (\d+)/.exec(problem) ?? [];
  return line ? `#${field}-${line}` : null;
}

const About = () => (
  <p className="quiet">
    Forms change one thing at a time: <a href="/console/experiments">the split</a>,{' '}
    <a href="/console/offers">offers and coupons</a>, <a href="/console/flows">flows and aliases</a>
    .
  </p>
);

/** The published documents as text, for what has no form of its own. */
export function EditDocuments({ documents, base, problems }: EditDocumentsProps) {
  const mayPublish = useMayPublish();
  return (
    <ConsoleLayout title="Settings as text" at="/console/offers">
      <Problems problems={problems} hrefOf={lineOf} />
      {problems.length === 0 && <About />}
      <form method="post" action="/console/documents/review">
        <fieldset disabled={!mayPublish}>
          <Hidden fields={{ base }} />
          {documents.map((one) => Code(one))}
        </fieldset>
        {mayPublish && (
          <p className="bar-below">
            <SubmitButton>Review the change</SubmitButton>
          </p>
        )}
      </form>
    </ConsoleLayout>
  );
}
