import { ConsoleLayout, Problems, useMayPublish } from '../../parts/layout.tsx';

export interface EditDocumentsProps {
  documents: readonly { key: string; field: string; text: string }[];
  /** Fingerprint of the version that the editor started from. */
  base: string;
  problems: readonly string[];
}

const coupon = '"WINTER20": { "percent": 20, "plans": ["quarterly"], "until": "2026-12-31" }';
const offer =
  '"people": { "plans": ["monthly", "quarterly"], "preselect": "monthly", "upsell": "upsell_monthly_799", "guide": "guide_1799" }';

/** The published documents as text, for parts without their own form: offers, coupons, routing. */
export function EditDocuments(props: EditDocumentsProps) {
  const mayPublish = useMayPublish();
  const { documents, base, problems } = props;
  return (
    <ConsoleLayout title="Offers and coupons as text" at="/console/offers">
      <Problems problems={problems} />
      <section className="card">
        <p>
          A coupon is an entry of <code>coupons</code>. This one gives 20% off the first quarter:
        </p>
        <pre>{coupon}</pre>
        <p>
          An offer is an entry of <code>offers</code> under the name of its variant:
        </p>
        <pre>{offer}</pre>
      </section>
      <form method="post" action="/console/documents/review">
        <fieldset disabled={!mayPublish} className="card documents">
          <input type="hidden" name="base" defaultValue={base} />
          {documents.map(({ key, field, text }) => (
            <label key={key} className="field">
              <span>{key}</span>
              <textarea name={field} rows={24} spellCheck={false} dir="ltr" defaultValue={text} />
            </label>
          ))}
          <button type="submit">Review the change</button>
        </fieldset>
      </form>
    </ConsoleLayout>
  );
}
