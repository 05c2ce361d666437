import type { IslandText } from '../locales/index.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { rememberReturnPage } from './account/sign-in-link.ts';

/** Shown to a signed-out visitor on a page that needs an account: e-mails a link back to this page. */
export default function SignInAgain({ text }: { text: IslandText['sign-in-again'] }) {
  return (
    <>
      <h2>{text.title}</h2>
      <RequestSignInLink
        text={text}
        lead={text.signed_out}
        id="sign-in"
        onRequest={() => rememberReturnPage()}
      />
    </>
  );
}
