import styles from './continue-button.module.css';
import { Spinner } from './spinner.tsx';

type Props = {
  label: string;
  /** Work is under way: the button keeps its size and label, shows a ring and takes no click. */
  pending?: boolean;
  disabled?: boolean;
  type?: 'submit' | 'button';
  id?: string;
  /** A second choice on the screen is drawn quietly. */
  quiet?: boolean;
  onClick?: () => void;
};

/** The screen's one action, 56 px high. Submits its form unless told otherwise. */
export function ContinueButton({
  label,
  pending = false,
  disabled = false,
  type = 'submit',
  id = 'continue-button',
  quiet = false,
  onClick,
}: Props) {
  return (
    <button
      className={quiet ? styles.quiet : styles.button}
      id={id}
      type={type}
      disabled={disabled}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={onClick}
    >
      {pending && <Spinner />}
      <span>{label}</span>
    </button>
  );
}
