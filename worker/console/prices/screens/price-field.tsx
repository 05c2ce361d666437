interface Props {
  label: string;
  name: string;
  value: string;
  suggestion?: string | undefined;
  problem?: string | undefined;
  /** Whether the suggestion has a button, which sends the form. */
  hasButton?: boolean;
  action?: string;
}

/** An amount with the suggestion beside it, where it is another one. */
export function PriceField({ label, name, value, suggestion, problem, hasButton, action }: Props) {
  const note = `${name}-note`;
  const isOther = suggestion !== undefined && suggestion !== value;
  return (
    <span className="amount">
      <input
        name={name}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || isOther ? note : undefined}
        defaultValue={value}
        inputMode="decimal"
        autoComplete="off"
        size={8}
      />
      {problem && (
        <span id={note} className="problem-text">
          {problem}
        </span>
      )}
      {isOther && hasButton && (
        <button
          type="submit"
          className="plain"
          name="use"
          value={name}
          formAction={action}
          formNoValidate
          aria-label={`Use ${suggestion} for ${label}`}
        >
          {`Use ${suggestion}`}
        </button>
      )}
      {isOther && !hasButton && !problem && <small id={note}>{`suggested ${suggestion}`}</small>}
    </span>
  );
}

/** Takes the Enter key, where the first buttons of a form do something else. */
export const EnterButton = () => (
  <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
    Review
  </button>
);

export const markedFields = (problems: Readonly<Record<string, string>>): string[] =>
  Object.keys(problems).length > 0 ? ['Correct the marked fields.'] : [];
