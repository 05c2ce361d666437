import type { MouseEventHandler } from 'react';
import styles from './continue-button.module.css';

type Props = {
  href: string;
  label: string;
  id?: string;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
};

export function ContinueLink({ href, label, id = 'continue-button', onClick }: Props) {
  return (
    <a
      className={`button ${styles.button}`}
      id={id}
      href={href}
      onClick={onClick}
      data-navigate={href.startsWith('/') ? '' : undefined}
    >
      {label}
    </a>
  );
}
