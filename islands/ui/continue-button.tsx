import type { MouseEventHandler, ReactNode } from 'react';
import styles from './continue-button.module.css';

export type ButtonProps = {
  label: ReactNode;
  pending?: boolean;
  disabled?: boolean;
  type?: 'submit' | 'button';
  id?: string;
  form?: string;
  /** A class that changes the button's colours. */
  colorClass?: string | undefined;
  onClick?: () => void;
};

/** The screen's main button, 56 px high; submits its form by default. */
export function ContinueButton({
  label,
  pending = false,
  disabled = false,
  type = 'submit',
  id = 'continue-button',
  form,
  colorClass = '',
  onClick,
}: ButtonProps) {
  return (
    <button
      className={`button ${styles.button} ${colorClass}`}
      id={id}
      form={form}
      type={type}
      disabled={disabled}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={onClick}
    >
      {/* Another label is another element: a centred text that only changes counts as moved. */}
      <span key={`${label}`} className={styles.label}>
        {label}
      </span>
    </button>
  );
}

type LinkProps = {
  href: string;
  label: ReactNode;
  id?: string;
  /** A class that changes the button's colours. */
  colorClass?: string | undefined;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
};

export function ContinueLink(props: LinkProps) {
  const { href, label, id = 'continue-button', colorClass = '', onClick } = props;
  return (
    <a
      className={`button ${styles.button} ${colorClass}`}
      id={id}
      href={href}
      onClick={onClick}
      data-navigate={href.startsWith('/') ? '' : undefined}
    >
      {label}
    </a>
  );
}
