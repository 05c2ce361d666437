import type { IslandText } from '../../locales/index.ts';
import type { ReceiptView } from '../../worker/payments/rules/receipt.ts';
import { Invitations } from '../invitations/invitations.tsx';
import { depth } from '../runtime/navigation/back-button.ts';
import { writeHandover } from '../runtime/storage/handover.ts';
import { CardName } from './card-name.tsx';
import { DataRights } from './data-rights.tsx';
import type { PurchaseWords } from './purchase-text.ts';
import { deleteAccount, myData, signOut } from './purchases-api.ts';
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

interface Props {
  words: PurchaseWords;
  language: string;
  renewal: RenewalCard | null;
  receipts: readonly ReceiptView[];
  invite: IslandText['invite-panel'] | undefined;
  tiles: boolean;
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  run: (work: () => Promise<void>) => Promise<void>;
  onSignedOut: () => void;
  onDeleted: () => void;
}

/** Below the purchases: the invitations, the card, the receipts and the account's data. */
export function AccountSections(props: Props) {
  const { words, language, renewal, receipts, invite, tiles } = props;
  const { openStep, pending, onOpenStep, run, onSignedOut, onDeleted } = props;
  const { text } = words;
  return (
    <>
      {invite && <Invitations text={invite} language={language} tiles={tiles} />}
      {renewal && (
        <section className="card stack gap-12">
          <h2 className="title">{text.card}</h2>
          {renewal.card && <CardName text={text} card={renewal.card} language={language} />}
          <a className="link-outlined" href="/manage/card" onClick={() => writeHandover(depth())}>
            {text.late_action}
          </a>
        </section>
      )}
      <ReceiptList words={words} receipts={receipts} />
      <DataRights
        text={text}
        openStep={openStep}
        pending={pending}
        onOpenStep={onOpenStep}
        onDownload={() => run(async () => downloadJson('my-data.json', await myData()))}
        onSignOut={() => run(() => signOut().then(onSignedOut))}
        onDelete={() => run(() => deleteAccount().then(onDeleted))}
      />
    </>
  );
}
