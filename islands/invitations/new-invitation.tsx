import type { IslandText } from '../../locales/index.ts';
import { durationFor } from '../stores/answers.ts';
import { $signup } from '../stores/signup.ts';
import { InvitationForm, MessagePreview } from './invitation-form.tsx';
import styles from './invitations.module.css';
import type { useNewInvitation } from './use-new-invitation.ts';

/** The name from sign-up, if it is not an e-mail address and is short enough. */
const signupName = () => (/^[^@]{1,20}$/.exec($signup.get().name) ?? [''])[0];

interface Props {
  text: IslandText['invite-panel'];
  language: string;
  /** Whether it is a step of the success page's checklist. */
  isStep: boolean;
  emailVerified: boolean;
  invitation: ReturnType<typeof useNewInvitation>;
}

/** The form, then the message as the invitee will read it. */
export function NewInvitation({ text, language, isStep, emailVerified, invitation }: Props) {
  const { work, request, phone, byLink, message, errors } = invitation;
  const { pending } = work;
  return (
    <>
      {isStep && <p className={`soft ${styles.lead}`}>{byLink ? text.lead_link : text.lead}</p>}
      {message ? (
        <MessagePreview
          text={text}
          language={language}
          message={message}
          emailVerified={emailVerified}
          pending={pending}
          onSend={invitation.onSend}
          onCopy={invitation.onCopy}
          onChange={invitation.onChange}
        />
      ) : (
        <InvitationForm
          text={text}
          phone={phone}
          byLink={byLink}
          name={request.name || signupName()}
          duration={request.duration || (durationFor() ?? '')}
          errors={errors}
          pending={pending}
          onOtherNumber={invitation.onOtherNumber}
          onSubmit={invitation.submit}
        />
      )}
    </>
  );
}
