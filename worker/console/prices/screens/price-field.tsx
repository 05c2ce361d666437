import { SubmitButton } from '../../parts/field.tsx';

interface Props {
  label: string;
  name: string;
  value: string;
  suggestion?: string | undefined;
  problem?: string | undefined;
  /** Whether an amount that is the suggestion is marked as one. */
  isMarked?: boolean;
}

/** An amount with the suggestion beside it, where it is another one. */
export function PriceField({ label, name, value, suggestion, problem, isMarked }: Props) {
  const note = `${name}-note`;
  const isOther = suggestion !== value;
  const isTaken = suggestion && !isOther && isMarked;
  const hint = isTaken ? 'suggested' : suggestion && isOther && `suggested ${suggestion}`;
  return (
    <span className="amount">
      <input
        name={name}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || hint ? note : undefined}
        defaultValue={value}
        data-suggested={isTaken ? '' : undefined}
        inputMode="decimal"
        autoComplete="off"
        size={8}
      />
      {problem ? (
        <span id={note} className="problem-text">
          {problem}
        </span>
      ) : (
        hint && <small id={note}>{hint}</small>
      )}
    </span>
  );
}

/** Takes the Enter key, where the first buttons of a form do something else. */
export const EnterButton = () => (
  <SubmitButton className="unseen" tabIndex={-1} aria-hidden="true">
    Review
  </SubmitButton>
);

export const markedFields = (problems: Readonly<Record<string, string>>): string[] =>
  Object.keys(problems).length > 0 ? ['Correct the marked fields.'] : [];
