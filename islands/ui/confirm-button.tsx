import styles from './confirm-button.module.css';
import { ContinueButton } from './continue-button.tsx';

type Props = {
  label: string;
  what?: string;
  confirm: string;
  keep: string;
  id: string;
  pending: boolean;
  onAsk: () => void;
  onKeep: () => void;
  onConfirm: () => void;
};

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
    <div className="stack gap-12">
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
