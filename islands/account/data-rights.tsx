import type { IslandText } from '../../locales/index.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import styles from './purchases.module.css';

type Props = {
  text: IslandText['my-account'];
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  onDownload: () => void;
  onSignOut: () => void;
  onDelete: () => void;
};

export function DataRights(props: Props) {
  const { text, openStep, pending, onOpenStep, onDownload, onSignOut, onDelete } = props;
  return (
    <section className="card stack gap-12">
      <h2 className="title">{text.data}</h2>
      <div className={styles.actions}>
        <button className="text-button" id="download" type="button" onClick={onDownload}>
          {text.download}
        </button>
        <ConfirmButton
          id="sign-out"
          label={text.sign_out}
          description={openStep === 'sign-out' ? text.sign_out_what : undefined}
          confirmLabel={text.sign_out_confirm}
          cancelLabel={text.sign_out_keep}
          pending={pending}
          onOpen={() => onOpenStep('sign-out')}
          onCancel={() => onOpenStep('')}
          onConfirm={onSignOut}
        />
        <ConfirmButton
          id="delete"
          colorClass={styles.danger}
          label={text.delete}
          description={openStep === 'delete' ? text.delete_what : undefined}
          confirmLabel={text.delete_confirm}
          cancelLabel={text.keep}
          pending={pending}
          onOpen={() => onOpenStep('delete')}
          onCancel={() => onOpenStep('')}
          onConfirm={onDelete}
        />
      </div>
    </section>
  );
}
