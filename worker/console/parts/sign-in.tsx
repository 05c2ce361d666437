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
          <input type="hidden" name="code" defaultValue={code} />
          <button type="submit">Open the console</button>
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
