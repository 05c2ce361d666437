import { useLayoutEffect, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { CodeCheck } from '../worker/accounts/check-code.ts';
import { ContinueAs } from './account/continue-as.tsx';
import { reportUnexpected } from './account/report-unexpected.ts';
import { RequestSignInLink, type RequestText } from './account/request-sign-in-link.tsx';
import { showProblem } from './account/show-result.ts';
import {
  inspectSignInLink,
  openSignInLink,
  requestSignInLink,
  takeReturnPage,
} from './account/sign-in-link.ts';
import { LinkError } from './app-link/link-error.tsx';
import { putCodeInUrl, watchUrlCode } from './app-link/url-code.ts';
import { errorCode } from './runtime/api.ts';
import { pageData } from './runtime/hydration/page-data.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import { LoadingScreen } from './ui/loading-screen.tsx';
import { useRequestState } from './ui/use-request-state.ts';

const refusals = ['sign_in_link_unknown', 'sign_in_link_used', 'sign_in_link_expired'] as const;
type State = 'waiting' | 'confirming' | 'missing' | 'failed' | (typeof refusals)[number];

const stateOf = (error: unknown): State =>
  refusals.find((code) => code === errorCode(error)) ?? 'failed';

interface Props {
  text: IslandText['sign-in-link'];
  /** The form for a new link. The page's title and lead say what is wrong with this one. */
  request: RequestText;
  /** Below the form's field. */
  hint: string;
}

/** The link in the URL, which is opened at once if nobody has to be asked. */
function useSignInLink(text: Props['text']) {
  const [state, setState] = useState<State>('waiting');
  const [code, setCode] = useState('');
  const [inspection, setInspection] = useState<CodeCheck | null>(null);
  const inspect = async (linkCode: string) => {
    setState('waiting');
    try {
      const found = await inspectSignInLink(linkCode);
      setInspection(found);
      if (found.state !== 'ready') setState(`sign_in_link_${found.state}`);
      else if (found.mine || (found.known_here && !found.signed_in_as)) await open(linkCode);
      else setState('confirming');
    } catch (error) {
      reportUnexpected(error);
      setState('failed');
    }
  };
  const open = async (linkCode: string) => {
    setState('waiting');
    try {
      const paid = await openSignInLink(linkCode);
      putCodeInUrl('');
      const returnPath = takeReturnPage() ?? '/success';
      await navigate(paid ? returnPath : pageData().checkout);
    } catch (error) {
      reportUnexpected(error);
      setState(stateOf(error));
    }
  };
  useOnHydrate(() =>
    watchUrlCode((found) => {
      setCode(found);
      if (found) inspect(found);
      else setState('missing');
    }),
  );

  // Then the page can only offer a new link.
  useLayoutEffect(() => {
    if (state === 'missing' || state === 'sign_in_link_unknown') return showProblem(text[state]);
  }, [state, text]);
  return { state, code, inspection, inspect, open };
}

/** Confirms and opens a sign-in link, then returns to the visitor's previous page. */
export default function SignInLink({ text, request, hint }: Props) {
  const { state, code, inspection, inspect, open } = useSignInLink(text);
  const [mailing, mail] = useRequestState(() => requestSignInLink({ code }));
  const known = state === 'sign_in_link_used' || state === 'sign_in_link_expired';
  if (state === 'waiting') {
    return (
      <div className="stack gap-16">
        <LoadingScreen message={text.waiting} />
      </div>
    );
  }
  return (
    <div className="stack gap-16">
      {state === 'confirming' ? (
        <ContinueAs
          text={text}
          email={inspection?.email ?? ''}
          signedInAs={inspection?.signed_in_as ?? null}
          onContinue={() => open(code)}
          restartHref={pageData().first ?? '/'}
        >
          {inspection?.confirms && <p>{text.confirms}</p>}
        </ContinueAs>
      ) : state === 'missing' || state === 'sign_in_link_unknown' ? (
        <RequestSignInLink text={request} hint={hint} />
      ) : (
        <LinkError
          text={text}
          message={text[state]}
          emailButton={known && { state: mailing, onSend: mail }}
          onRetry={state === 'failed' && (() => inspect(code))}
        />
      )}
    </div>
  );
}
