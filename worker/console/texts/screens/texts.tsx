import { Hidden } from '../../parts/field.tsx';
import { LanguageField } from '../../parts/language-field.tsx';
import { ConsoleLayout, NoticeLine, useMayPublish } from '../../parts/layout.tsx';
import { Phones } from '../../parts/phones.tsx';
import { screenName } from '../../parts/rules/screen-names.ts';

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
  /** The screens that show it, with their previews; none for a text outside the flows. */
  screens: readonly { id: string; address: string; words: string }[];
  /** Path of the script that validates while typing. */
  script: string;
  /** Path of the script that outlines the text in the preview. */
  phoneScript: string;
}

/** The languages that do not follow English, in words. */
function statusText(texts: EditProps['texts']): string {
  const tagsOf = (state: string) =>
    texts
      .filter((one) => one.state === state)
      .map(({ name }) => name)
      .join(', ');
  const lines = [
    ['missing', 'Missing in'],
    ['outdated', 'Outdated in'],
    ['published', 'Changed here in'],
  ].flatMap(([state = '', words]) => (tagsOf(state) ? `${words} ${tagsOf(state)}.` : []));
  return lines.join(' ') || `All ${texts.length} languages have the built-in text.`;
}

export function TextEdit(props: EditProps) {
  const mayPublish = useMayPublish();
  const { base, english, textKey, placeholders, texts, screens, script, phoneScript } = props;
  const field = (one: EditedText) => (
    <div key={one.tag}>
      <LanguageField {...one} state={one.state === 'built-in' ? '' : one.state} maxLength={2000} />
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
  );
  return (
    <ConsoleLayout
      title={english.length > 80 ? `${english.slice(0, 80)}…` : english || 'Empty text'}
      at="/console/texts"
    >
      <p className="quiet">
        <code className="id">{textKey}</code>{' '}
        {placeholders.length > 0 &&
          `Placeholders that every language needs: ${placeholders.join(' ')}. `}
        {statusText(texts)}
      </p>
      {texts.some(({ problem }) => problem) && (
        <NoticeLine kind="problem">
          The marked texts are not valid. Nothing was published.
        </NoticeLine>
      )}
      <div className={screens.length > 0 ? 'with-phone' : undefined}>
        <form method="post" action="/console/texts/review" data-texts="">
          <Hidden fields={{ base, key: textKey, english }} />
          <fieldset disabled={!mayPublish}>
            <div className="model">{texts.slice(0, 1).map(field)}</div>
            <div className="texts">{texts.slice(1).map(field)}</div>
          </fieldset>
          <div className="beside bar-below">
            {mayPublish && <button type="submit">Review the change</button>}
            <a href="/console/texts">Back</a>
            <small>Clear a field to restore the built-in text.</small>
          </div>
        </form>
        {screens.length > 0 && (
          <div className="stays">
            <Phones label="Shown on" screens={screens.slice(0, 1)} script={phoneScript} />
            {screens.length > 1 && (
              <p className="quiet">
                {`Also on ${screens
                  .slice(1)
                  .map(({ id }) => screenName(id))
                  .join(', ')}.`}
              </p>
            )}
          </div>
        )}
      </div>
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}
