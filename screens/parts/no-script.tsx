import type { ReactNode } from 'react';

type Props = {
  text: string;
  /** An alternative that works without JavaScript. */
  children?: ReactNode;
};

export function NoScript({ text, children }: Props) {
  return (
    <noscript>
      <p className="notice no-script">{text}</p>
      {children}
    </noscript>
  );
}
