import styles from './continue-button.module.css';

type Props = { href: string; label: string; id?: string };

/** The screen's one action where it only leads on: looks like ContinueButton, is a link. */
export function ContinueLink({ href, label, id = 'continue-button' }: Props) {
  return (
    <a
      className={styles.button}
      id={id}
      href={href}
      data-navigate={href.startsWith('/') ? '' : undefined}
    >
      {label}
    </a>
  );
}
