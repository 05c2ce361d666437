import type { InputHTMLAttributes } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
}

/** An input with its label above it. */
export const Field = ({ label, className = '', ...input }: Props) => (
  <label className={`field ${className}`.trim()}>
    <span>{label}</span>
    <input {...input} />
  </label>
);

/** Fields that a form sends without showing them. */
export const Hidden = ({ fields }: { fields: Readonly<Record<string, string>> }) =>
  Object.entries(fields).map(([name, text]) => (
    <input key={name} type="hidden" name={name} defaultValue={text} />
  ));
