import type { ReactNode } from 'react';

interface Props {
  name: string;
  action: string;
  children: ReactNode;
}

export const UncheckedSubmit = ({ name, action, children }: Props) => (
  <button
    type="submit"
    className="secondary"
    name={name}
    value="true"
    formAction={action}
    formNoValidate
  >
    {children}
  </button>
);
