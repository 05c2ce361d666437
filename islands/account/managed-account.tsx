import type { ComponentProps } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { Invitations } from '../invitations/invitations.tsx';
import styles from '../my-account.module.css';
import { AccountSections } from './account-sections.tsx';
import { PurchaseList } from './purchase-list.tsx';

type Props = ComponentProps<typeof PurchaseList> &
  Omit<ComponentProps<typeof AccountSections>, 'words'> & {
    invite: IslandText['invite-panel'] | undefined;
    streetSource: StreetSource | null;
    inviting: boolean;
    onInvite: () => void;
    onClose: () => void;
  };

/** All that an account has: its purchases, its invitations, its card, receipts and data. */
export function ManagedAccount(props: Props) {
  const { words, language, invite, streetSource, inviting, onInvite, onClose } = props;
  return (
    <>
      {!inviting && <PurchaseList {...props} />}
      {invite && (
        <Invitations
          text={invite}
          language={language}
          streetSource={streetSource}
          inviting={inviting}
          onOpen={onInvite}
        />
      )}
      {inviting ? (
        <button className={`text-button small ${styles.back}`} type="button" onClick={onClose}>
          {words.text.see}
        </button>
      ) : (
        <AccountSections {...props} />
      )}
    </>
  );
}
