import steps from '../ui/confirm-button.module.css';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import type { PurchaseText } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onDownload: () => void;
  onSignOut: () => void;
  onDelete: () => void;
};

export function DataRights(props: Props) {
  const { text, asking, pending, onAsk, onDownload, onSignOut, onDelete } = props;
  return (
    <section className="stack gap-12 line-above">
      <h2 className="title">{text.data}</h2>
      <button className={steps.ask} id="download" type="button" onClick={onDownload}>
        {text.download}
      </button>
      <ConfirmButton
        id="sign-out"
        label={text.sign_out}
        what={asking === 'sign-out' ? text.sign_out_what : undefined}
        confirm={text.sign_out_confirm}
        keep={text.sign_out_keep}
        pending={pending}
        onAsk={() => onAsk('sign-out')}
        onKeep={() => onAsk('')}
        onConfirm={onSignOut}
      />
      <ConfirmButton
        id="delete"
        label={text.delete}
        what={asking === 'delete' ? text.delete_what : undefined}
        confirm={text.delete_confirm}
        keep={text.keep}
        pending={pending}
        onAsk={() => onAsk('delete')}
        onKeep={() => onAsk('')}
        onConfirm={onDelete}
      />
    </section>
  );
}
