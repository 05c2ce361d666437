import type { ButtonHTMLAttributes, InputHTMLAttributes } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  note?: string;
  problem?: string | undefined;
}

/** An input with its label above it. */
export const Field = ({ label, note, problem, className = '', ...input }: Props) => (
  <label className={`field ${className}`.trim()}>
    <span>{label}</span>
    <input {...input} aria-invalid={problem ? true : undefined} />
    {problem ? <span className="problem-text">{problem}</span> : note && <small>{note}</small>}
  </label>
);

/** Fields that a form sends without showing them. */
export const Hidden = ({ fields }: { fields: Readonly<Record<string, string>> }) =>
  Object.entries(fields).map(([name, text]) => (
    <input key={name} type="hidden" name={name} defaultValue={text} />
  ));

interface TickProps {
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  isChosen: boolean;
  label: string;
}

export const CheckField = ({ type, name, value, isChosen, label }: TickProps) => (
  <label className="hanging">
    <input
      type={type}
      className="tick"
      name={name}
      defaultValue={value}
      defaultChecked={isChosen}
    />{' '}
    {label}
  </label>
);

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>;

export const SubmitButton = (props: ButtonProps) => <button type="submit" {...props} />;
export const SecondButton = (props: ButtonProps) => (
  <SubmitButton className="secondary" {...props} />
);
