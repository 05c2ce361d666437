interface Props {
  tag: string;
  name: string;
  /** Empty for none to show. */
  state: string;
  text: string;
  maxLength: number;
  /** The error; undefined for none, empty if a script may set one. */
  problem: string | undefined;
  builtIn?: string;
  /** The text whose placeholders it must contain. */
  model?: string;
}

const stateKinds: Partial<Record<string, string>> = { missing: 'warning', outdated: 'warning' };

export const LanguageField = (props: Props) => {
  const { tag, name, state, text, maxLength, problem, builtIn, model } = props;
  return (
    <label className="field">
      <span>
        {name} {state && <span className={`chip ${stateKinds[state] ?? ''}`}>{state}</span>}
      </span>
      <textarea
        name={`text.${tag}`}
        lang={tag}
        dir="auto"
        rows={2}
        maxLength={maxLength}
        defaultValue={text}
        placeholder={builtIn}
        data-model={model}
        {...(problem ? { 'aria-invalid': true } : {})}
      />
      {problem !== undefined && (
        <span className="problem-text" aria-live="polite">
          {problem}
        </span>
      )}
    </label>
  );
};
