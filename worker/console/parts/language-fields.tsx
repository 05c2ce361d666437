import type { ReactNode } from 'react';
import { languageName } from './rules/names.ts';

export interface LanguageText {
  tag: string;
  /** The language's own name. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Empty for none to show. */
  state: string;
  text: string;
  /** The error; undefined for none, empty if a script may set one. */
  problem: string | undefined;
  builtIn?: string;
  /** The text whose placeholders it must contain. */
  model?: string;
  /** How an outdated text is confirmed. */
  confirm: ReactNode;
}

const stateKinds: Partial<Record<string, string>> = { missing: 'warning', outdated: 'warning' };

const isOpen = ({ state, problem }: LanguageText) => state === 'outdated' || Boolean(problem);

/** Such as `12 built-in`, `1 outdated`. */
const countsOf = (texts: readonly LanguageText[]) =>
  [...Map.groupBy(texts, ({ state }) => state)].map(([state, own]) => ({
    state,
    words: own.length === texts.length ? `all ${state}` : `${own.length} ${state}`,
  }));

const StateChip = ({ state, words = state }: { state: string; words?: string }) =>
  state && <span className={`chip ${stateKinds[state] ?? ''}`}>{words}</span>;

/** Short texts have a limit that matters. */
const lengthText = ({ length }: string, maxLength: number) =>
  maxLength < 1000 ? `${length} / ${maxLength}` : `${length} characters`;

function LanguageField({ one, maxLength }: { one: LanguageText; maxLength: number }) {
  const { tag, name, direction, state, text, problem, builtIn, model, confirm } = one;
  const english = languageName(tag);
  return (
    <div>
      <label className="field">
        <span>
          {english}{' '}
          {name !== english && (
            <span className="soft" lang={tag}>
              {name}
            </span>
          )}{' '}
          <StateChip state={state} />
        </span>
        <textarea
          name={`text.${tag}`}
          lang={tag}
          dir={direction}
          maxLength={maxLength}
          defaultValue={text}
          placeholder={builtIn}
          data-model={model}
          {...(problem ? { 'aria-invalid': true } : {})}
        />
        <small className="count" aria-hidden="true">
          {lengthText(text, maxLength)}
        </small>
        {problem !== undefined && (
          <span className="problem-text" aria-live="polite">
            {problem}
          </span>
        )}
      </label>
      {confirm}
    </div>
  );
}

interface Props {
  texts: readonly LanguageText[];
  maxLength: number;
  /** Fields before English. */
  before?: ReactNode;
  /** What is shown beside English, on a phone after it. */
  preview: ReactNode;
}

/** English, the preview, and the other languages, which are folded until one of them needs work. */
export function LanguageFields({ texts: [english, ...others], maxLength, before, preview }: Props) {
  return (
    <>
      <div className="model">
        {before}
        {english && <LanguageField one={english} maxLength={maxLength} />}
      </div>
      {preview && <div className="stays">{preview}</div>}
      <details className="card" open={others.some(isOpen)}>
        <summary>
          {`${others.length} other languages`}{' '}
          {countsOf(others).map((count) => (
            <StateChip key={count.state} {...count} />
          ))}
        </summary>
        <div className="texts">
          {others.map((one) => (
            <LanguageField key={one.tag} one={one} maxLength={maxLength} />
          ))}
        </div>
      </details>
    </>
  );
}
