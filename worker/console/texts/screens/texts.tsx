import { Hidden, SecondButton, SubmitButton } from '../../parts/field.tsx';
import { LanguageFields, type LanguageText } from '../../parts/language-fields.tsx';
import { ConsoleLayout, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';

interface EditProps {
  base: string;
  english: string;
  textKey: string;
  /** Placeholders that every language must contain, such as `{{price}}`. */
  placeholders: readonly string[];
  texts: readonly Omit<LanguageText, 'confirm'>[];
  /** The screens that show it, with their previews; none for a text outside the flows. */
  screens: readonly { id: string; address: string; words: string }[];
  /** Path of the script that validates while typing. */
  script: string;
  /** Path of the script that outlines the text in the preview. */
  phoneScript: string;
}

const Confirm = ({ tag, name }: Pick<LanguageText, 'tag' | 'name'>) => (
  <SecondButton
    formAction="/console/texts/confirm"
    name="confirm"
    value={tag}
    aria-label={`${name} still matches the English text`}
  >
    Still matches English
  </SecondButton>
);

const Preview = ({ screens, phoneScript }: Pick<EditProps, 'screens' | 'phoneScript'>) => (
  <>
    <Phones label="Shown on" screens={screens.slice(0, 1)} script={phoneScript} />
    {screens.length > 1 && (
      <p className="quiet">
        {`Also on ${screens
          .slice(1)
          .map(({ id }) => screenName(id))
          .join(', ')}.`}
      </p>
    )}
  </>
);

export function TextEdit(props: EditProps) {
  const mayPublish = useMayPublish();
  const { base, english, textKey, placeholders, texts, screens, script } = props;
  const [screen] = screens;
  return (
    <ConsoleLayout
      title={english.length > 80 ? `${english.slice(0, 80)}…` : english || 'Empty text'}
      at="/console/texts"
      {...(screen && {
        trail: [[screenName(screen.id), `/console/texts?screen=${screen.id}`]] as const,
      })}
    >
      <p className="quiet">
        <code className="id whole">{textKey}</code>
        {placeholders.length > 0 &&
          ` Placeholders that every language needs: ${placeholders.join(' ')}.`}
      </p>
      {texts.some(({ problem }) => problem) && (
        <NoticeLine kind="problem">
          The marked texts are not valid. Nothing was published.
        </NoticeLine>
      )}
      <form
        method="post"
        action="/console/texts/review"
        className={screen ? 'with-phone languages' : undefined}
        data-texts=""
      >
        <Hidden fields={{ base, key: textKey, english }} />
        <fieldset disabled={!mayPublish}>
          <LanguageFields
            texts={texts.map((one) => ({
              ...one,
              confirm: one.state === 'outdated' && mayPublish && <Confirm {...one} />,
            }))}
            maxLength={2000}
            preview={screen && <Preview {...props} />}
          />
        </fieldset>
        <div className="beside bar-below">
          {mayPublish && <SubmitButton>Review the change</SubmitButton>}
          <a href="/console/texts">Back</a>
          <small>Clear a field to restore the built-in text.</small>
        </div>
      </form>
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
