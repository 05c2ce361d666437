import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';

export interface PreviewProps {
  problem: string;
  variants: readonly string[];
  chosen: { variant: string; beside: string; country: string; lng: string; theme: string };
  languages: readonly string[];
  themes: readonly string[];
  /** Each variant with the preview URLs of its screens, and its link for a phone. */
  shown: readonly {
    variant: string;
    link: string;
    /** Path of the link's QR code. */
    qrCode: string;
    screens: readonly { id: string; address: string }[];
  }[];
  /** The documents of an unpublished change; null for the live ones. */
  draft: Readonly<Record<string, string>> | null;
  /** Path of the script that opens a clicked text. */
  script: string;
}

interface SelectProps {
  name: string;
  label: string;
  value: string;
  choices: readonly string[];
  none?: string;
}

const Select = ({ name, label, value, choices, none }: SelectProps) => (
  <label className="field">
    <span>{label}</span>
    <select name={name} defaultValue={value}>
      {none !== undefined && <option value="">{none}</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  </label>
);

const DraftFields = (draft: NonNullable<PreviewProps['draft']>) =>
  Object.entries(draft).map(([name, value]) => (
    <input key={name} type="hidden" name={name} defaultValue={value} />
  ));

/** Every screen of a variant as visitors see it, without scripts. */
export function Preview(props: PreviewProps) {
  const { problem, variants, chosen, languages, themes, shown, draft, script } = props;
  return (
    <ConsoleLayout title="Preview of the screens" at="/console/experiments">
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      {draft ? (
        <NoticeLine kind="done">
          <form method="post" action="/console/review" className="beside">
            <DraftFields {...draft} />
            <span>This is a preview of an unpublished change.</span>
            <button type="submit">Back to the review</button>
          </form>
        </NoticeLine>
      ) : (
        <p>These are the live screens.</p>
      )}
      <form method={draft ? 'post' : 'get'} action="/console/preview" className="beside">
        {draft && <DraftFields {...draft} />}
        <Select name="variant" label="Variant" value={chosen.variant} choices={variants} />
        <Select
          name="beside"
          label="Compare with"
          value={chosen.beside}
          choices={variants}
          none="no variant"
        />
        <label className="field">
          <span>Country, such as DE</span>
          <input name="country" defaultValue={chosen.country} maxLength={2} size={4} />
        </label>
        <Select name="lng" label="Language" value={chosen.lng} choices={languages} />
        <Select name="theme" label="Theme" value={chosen.theme} choices={themes} />
        <button type="submit" className="secondary">
          Show
        </button>
      </form>
      {script && <p className="quiet waiting">Click a text to edit it.</p>}
      {shown.map(({ variant, screens, link, qrCode }) => (
        <Phones key={variant} label={variant} screens={screens} script={script}>
          <img src={qrCode} alt={`QR code of ${variant}`} width="160" height="160" />
          <p>
            Scan it to open this variant on a phone, or <a href={link}>open it here</a>.
          </p>
          <p className="quiet">The link works for an hour. Its visits are not counted.</p>
        </Phones>
      ))}
      <p className="quiet">
        These are the real pages without scripts. Parts that need an account, a payment form or a
        map stay empty.
      </p>
    </ConsoleLayout>
  );
}
