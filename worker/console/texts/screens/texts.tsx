import { LanguageField } from '../../parts/language-field.tsx';
import { ConsoleLayout, NoticeLine, useMayPublish } from '../../parts/layout.tsx';

interface EditedText {
  tag: string;
  name: string;
  state: string;
  text: string;
  builtIn: string;
  /** The text whose placeholders it must contain. */
  model: string;
  problem: string;
}

interface EditProps {
  base: string;
  english: string;
  textKey: string;
  /** Placeholders that every language must contain, such as `{{price}}`. */
  placeholders: readonly string[];
  texts: readonly EditedText[];
  /** Path of the script that validates while typing. */
  script: string;
}

export function TextEdit(props: EditProps) {
  const mayPublish = useMayPublish();
  const { base, english, textKey, placeholders, texts, script } = props;
  return (
    <ConsoleLayout title="Edit a text" at="/console/texts">
      <p className="quiet">
        {textKey}
        {placeholders.length > 0 &&
          `. Placeholders that every language needs: ${placeholders.join(' ')}`}
      </p>
      {texts.some(({ problem }) => problem) && (
        <NoticeLine kind="problem">
          The marked texts are not valid. Nothing was published.
        </NoticeLine>
      )}
      <form method="post" action="/console/texts/review" data-texts="">
        <input type="hidden" name="base" defaultValue={base} />
        <input type="hidden" name="key" defaultValue={textKey} />
        <input type="hidden" name="english" defaultValue={english} />
        <fieldset disabled={!mayPublish} className="texts">
          {texts.map((one) => (
            <div key={one.tag}>
              <LanguageField {...one} maxLength={2000} />
              {one.state === 'outdated' && mayPublish && (
                <button
                  type="submit"
                  className="secondary"
                  formAction="/console/texts/confirm"
                  name="confirm"
                  value={one.tag}
                  aria-label={`${one.name} still matches the English text`}
                >
                  Still matches English
                </button>
              )}
            </div>
          ))}
        </fieldset>
        <p className="quiet">Clear a field to restore the built-in text.</p>
        <div className="beside">
          {mayPublish && <button type="submit">Review the change</button>}
          <a href="/console/texts">Back</a>
        </div>
      </form>
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
