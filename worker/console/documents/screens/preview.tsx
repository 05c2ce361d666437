import { ChoiceField, CountryField, ShowButton } from '../../parts/choice.tsx';
import { Hidden, SubmitButton } from '../../parts/field.tsx';
import { ConsoleLayout, NoticeLine } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { languageName, themeName } from '../../parts/rules/names.ts';
import { Fold } from '../../parts/table.tsx';

export interface PreviewProps {
  problem: string;
  variants: readonly string[];
  /** Empty for the split. */
  experiment: string;
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

function ShownFields({ chosen, variants, languages, themes }: PreviewProps) {
  return (
    <Fold title={[chosen.variant, chosen.country, languageName(chosen.lng)].join(' · ')}>
      <div className="beside">
        <ChoiceField label="Variant" name="variant" chosen={chosen.variant} choices={variants} />
        <ChoiceField
          label="Compare with"
          name="beside"
          chosen={chosen.beside}
          choices={variants}
          all="no variant"
        />
        <CountryField chosen={chosen.country} />
        <ChoiceField
          label="Language"
          name="lng"
          chosen={chosen.lng}
          choices={languages}
          textOf={languageName}
        />
        <ChoiceField
          label="Theme"
          name="theme"
          chosen={chosen.theme}
          choices={themes}
          textOf={themeName}
        />
        <ShowButton />
      </div>
    </Fold>
  );
}

/** Every screen of a variant as visitors see it, without scripts. */
export function PreviewPage(props: PreviewProps) {
  const { problem, shown, draft, script, experiment } = props;
  return (
    <ConsoleLayout
      title={experiment ? `Preview of ${experiment}` : 'Preview of the screens'}
      at={`/console/${(draft?.from ?? 'experiments').replace('documents', 'offers').replace(/ment$/, 'ments')}`}
    >
      {problem && <NoticeLine kind="problem">{problem}</NoticeLine>}
      {draft ? (
        <NoticeLine kind="done">
          <form method="post" action="/console/review" className="beside">
            <Hidden fields={draft} />
            <span>This is a preview of an unpublished change.</span>
            <SubmitButton>Back to the review</SubmitButton>
          </form>
        </NoticeLine>
      ) : (
        <p className="quiet">
          These are the live screens, without scripts. Parts that need an account, a payment form or
          a map stay empty. {script && <span className="waiting">Click a text to edit it.</span>}
        </p>
      )}
      <form method={draft ? 'post' : 'get'} action="/console/preview" data-apply="">
        <Hidden fields={draft ?? (experiment ? { experiment } : {})} />
        <ShownFields {...props} />
      </form>
      {shown.map(({ variant, screens, link, qrCode }) => (
        <Phones key={variant} label={variant} screens={screens} script={script} link={link}>
          <img
            className="wide"
            src={qrCode}
            alt={`QR code of ${variant}, for a phone`}
            width="88"
            height="88"
          />
        </Phones>
      ))}
    </ConsoleLayout>
  );
}
