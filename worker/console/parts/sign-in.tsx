import { Hidden, SubmitButton } from './field.tsx';
import { ConsoleLayout, NoticeLine } from './layout.tsx';

interface Props {
  /** Code of the sign-in link; empty when there is none. */
  code: string;
  message: string;
}

/** Signs in during local development, where Cloudflare Access is not in front of the console. */
export function SignIn({ code, message }: Props) {
  return (
    <ConsoleLayout title="Sign in" at="">
      {message && <NoticeLine kind="problem">{message}</NoticeLine>}
      {code ? (
        <form method="post" action="/console/sign-in">
          <Hidden fields={{ code }} />
          <SubmitButton>Open the console</SubmitButton>
        </form>
      ) : (
        <p>
          Run <code>npm start</code> again. It prints a sign-in link that works once.
        </p>
      )}
    </ConsoleLayout>
  );
}

export function RefusedSignIn({ title, message }: { title: string; message: string }) {
  return (
    <ConsoleLayout title={title} at="" hasHeader={false}>
      <p>{message}</p>
    </ConsoleLayout>
  );
}
