import styles from './confirm-button.module.css';
import { ContinueButton } from './continue-button.tsx';

type Props = {
  /** First step. */
  label: string;
  /** What the second step will do, in plain words; the second step stands open when this is given. */
  what?: string;
  confirm: string;
  keep: string;
  id: string;
  pending: boolean;
  onAsk: () => void;
  onKeep: () => void;
  onConfirm: () => void;
};

/** An action that is asked for once, explained, and then confirmed. */
export function ConfirmButton(props: Props) {
  const { label, what, confirm, keep, id, pending, onAsk, onKeep, onConfirm } = props;
  if (!what) {
    return (
      <button className={styles.ask} id={id} type="button" onClick={onAsk}>
        {label}
      </button>
    );
  }
  return (
    <div className={styles.step}>
      <p role="status">{what}</p>
      <ContinueButton
        id={`${id}-confirm`}
        label={confirm}
        type="button"
        pending={pending}
        onClick={onConfirm}
      />
      <ContinueButton id={`${id}-keep`} label={keep} type="button" quiet onClick={onKeep} />
    </div>
  );
}
