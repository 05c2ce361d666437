import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import { handOver } from '../runtime/navigation/back-button.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import type { AccountText } from './cancel-text.ts';
import { cardLines } from './card-lines.ts';
import type { PurchaseWords } from './purchase-text.ts';
import styles from './purchases.module.css';
import { deleteOwnAccount, myData, signOut } from './purchases-api.ts';
import { ReceiptList } from './receipt-list.tsx';
import type { RenewalCard } from './renewal-card.ts';

function downloadJson(name: string, content: unknown): void {
  const file = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

type DataRightsProps = {
  text: AccountText;
  email: string;
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  onDownload: () => void;
  onSignOut: () => void;
  onDelete: () => void;
};

function DataRights(props: DataRightsProps) {
  const { text, email, openStep, pending, onOpenStep, onDownload, onSignOut, onDelete } = props;
  return (
    <section className="card stack gap-12">
      <div>
        <h2 className="title">{text.data}</h2>
        <p className="note break">
          <bdi dir="ltr">{email}</bdi>
        </p>
      </div>
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

interface Props {
  words: PurchaseWords;
  language: string;
  renewal: RenewalCard | null;
  receipts: readonly ReceiptView[];
  email: string;
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  run: (work: () => Promise<void>) => Promise<void>;
  onSignedOut: () => void;
  onDeleted: () => void;
}

/** Below the purchases and the invitations: the card, the receipts and the account's data. */
export function AccountSections(props: Props) {
  const { words, language, renewal, receipts, email } = props;
  const { openStep, pending, onOpenStep, run, onSignedOut, onDeleted } = props;
  const { text } = words;
  return (
    <>
      {renewal && (
        <section className="card stack gap-12">
          <h2 className="title">{text.card}</h2>
          {renewal.card && (
            <p className={`stack tabular ${styles.card}`}>
              {cardLines(text, renewal.card, language).map((line) => (
                <span key={line}>{line}</span>
              ))}
            </p>
          )}
          <div className={styles.actions}>
            <a className="text-button" href="/manage/card" onClick={handOver}>
              {text.late_action}
            </a>
          </div>
        </section>
      )}
      <ReceiptList words={words} receipts={receipts} />
      <DataRights
        text={text}
        email={email}
        openStep={openStep}
        pending={pending}
        onOpenStep={onOpenStep}
        onDownload={() => run(async () => downloadJson('my-data.json', await myData()))}
        onSignOut={() => run(() => signOut().then(onSignedOut))}
        onDelete={() => run(() => deleteOwnAccount().then(onDeleted))}
      />
    </>
  );
}
