import { ContinueButton } from './continue-button.tsx';
import { SecondaryButton } from './secondary-button.tsx';

type Props = {
  label: string;
  description?: string;
  confirmLabel: string;
  cancelLabel: string;
  id: string;
  pending: boolean;
  /** A class for the button that opens the step. */
  colorClass?: string | undefined;
  onOpen: () => void;
  onCancel: () => void;
  onConfirm: () => void;
};

export function ConfirmButton(props: Props) {
  const {
    label,
    description,
    confirmLabel,
    cancelLabel,
    id,
    pending,
    colorClass = '',
    onOpen,
    onCancel,
    onConfirm,
  } = props;
  if (!description) {
    return (
      <button className={`text-button ${colorClass}`} id={id} type="button" onClick={onOpen}>
        {label}
      </button>
    );
  }
  return (
    <div className="stack gap-12">
      {label && <p className="strong">{label}</p>}
      <p role="status">{description}</p>
      <ContinueButton
        id={`${id}-confirm`}
        label={confirmLabel}
        type="button"
        pending={pending}
        onClick={onConfirm}
      />
      <SecondaryButton id={`${id}-keep`} label={cancelLabel} type="button" onClick={onCancel} />
    </div>
  );
}
