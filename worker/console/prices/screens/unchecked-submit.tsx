import type { ReactNode } from 'react';
import { SecondButton } from '../../parts/field.tsx';

interface Props {
  name: string;
  action: string;
  children: ReactNode;
}

export const UncheckedSubmit = ({ name, action, children }: Props) => (
  <SecondButton name={name} value="true" formAction={action} formNoValidate>
    {children}
  </SecondButton>
);
