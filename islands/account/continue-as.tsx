import type { ReactNode } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import styles from './continue-as.module.css';

type Props = {
  text: { continue_as: string; continue: string; signed_in_as: string; not_me: string };
  /** Masked addresses: of the account that the link opens, and of the account signed in here. */
  email: string;
  signedInAs: string | null;
  pending?: boolean;
  onContinue: () => void;
  /** Path on our site for a visitor who is someone else. */
  restartHref: string;
  /** Describes the effect of continuing. */
  children?: ReactNode;
};

const isolated = (email: string) => ({
  email: `\u2066${email.replace(/[…-]/g, '$&\u2060')}\u2069`,
});

/** Asks before a link signs the visitor in, because the link may be a stranger's. */
export function ContinueAs(props: Props) {
  const { text, email, signedInAs, pending, onContinue, restartHref, children } = props;
  return (
    <>
      {signedInAs && (
        <p className="break">{interpolate(text.signed_in_as, isolated(signedInAs))}</p>
      )}
      <h2 className="break">{interpolate(text.continue_as, isolated(email))}</h2>
      {children}
      <ContinueButton label={text.continue} type="button" pending={pending} onClick={onContinue} />
      <a className={`row center ${styles.other}`} href={restartHref} data-navigate="">
        {text.not_me}
      </a>
    </>
  );
}
