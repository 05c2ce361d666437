import type { IslandText } from '../../locales/index.ts';
import { durationFor } from '../stores/answers.ts';
import { $signup } from '../stores/signup.ts';
import { InvitationForm, MessagePreview } from './invitation-form.tsx';
import styles from './invitations.module.css';
import type { useNewInvitation } from './use-new-invitation.ts';

/** The name from sign-up, if it is not an e-mail address and is short enough. */
const signupName = () => (/^[^@]{1,20}$/.exec($signup.get().name) ?? [''])[0];

type Props = ReturnType<typeof useNewInvitation> & {
  text: IslandText['invite-panel'];
  language: string;
  /** The step's number in the success page's checklist. */
  step: number | undefined;
  emailVerified: boolean;
};

/** The form, then the message as the invitee will read it. */
export function NewInvitation(props: Props) {
  const { text, step, request, byLink, message } = props;
  return (
    <>
      {step && <p className={`soft ${styles.lead}`}>{byLink ? text.lead_link : text.lead}</p>}
      {message ? (
        <MessagePreview {...props} message={message} />
      ) : (
        <InvitationForm
          {...props}
          name={request.name || signupName()}
          duration={request.duration || (durationFor() ?? '')}
        />
      )}
    </>
  );
}
