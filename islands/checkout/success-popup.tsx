import { ContinueButton } from '../ui/continue-button.tsx';
import styles from './success-popup.module.css';

type Props = { title: string; text: string; close: string; onClose: () => void };

function open(dialog: HTMLDialogElement | null) {
  if (dialog && !dialog.open) dialog.showModal();
}

export function SuccessPopup({ title, text, close, onClose }: Props) {
  return (
    <dialog ref={open} className={styles.popup} aria-labelledby="popup-title" onClose={onClose}>
      <form className="stack gap-16" method="dialog">
        <h2 id="popup-title">{title}</h2>
        <p>{text}</p>
        <ContinueButton id="popup-close" label={close} />
      </form>
    </dialog>
  );
}
