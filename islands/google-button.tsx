import { useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { explain, signUpWith } from './account/google-sign-in.ts';
import styles from './google-button.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ownInAppPlatform } from './runtime/in-app-browser.ts';
import { storageAllowed } from './runtime/storage/state-storage.ts';
import { GoogleLogo } from './ui/google-logo.tsx';
import { OrDivider } from './ui/or-divider.tsx';
import { Spinner } from './ui/spinner.tsx';
import { type GoogleState, startGoogle } from './vendors/google-identity.ts';

interface Props {
  text: IslandText['google-button'];
  /** Google's OAuth client id; empty when not configured. */
  clientId: string;
  vendors: string;
  language: string;
}

/** Google's button in `box`, and ours in its place until then. */
function useGoogle({ text, clientId, vendors, language }: Props) {
  const [state, setState] = useState<GoogleState>('waiting');
  const [pending, setPending] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const placeholder = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const google = useRef<ReturnType<typeof startGoogle>>(undefined);

  /** Keyboard focus on our button moves to Google's. */
  const change = (next: GoogleState) => {
    const hadFocus = next === 'preloaded' && document.activeElement === placeholder.current;
    setState(next);
    if (hadFocus) {
      const googleButton = box.current?.querySelector<HTMLElement>('iframe, [role=button]');
      requestAnimationFrame(() => googleButton?.focus());
    }
  };
  const take = async (credential: string | undefined) => {
    setPending(true);
    await signUpWith(credential, text);
    setPending(false);
  };
  const start = () => {
    if (!box.current) return;
    const shared = { clientId, vendors, language };
    const handlers = { onState: change, onCredential: take };
    google.current = startGoogle({ ...shared, ...handlers, box: box.current });
  };
  useOnHydrate(() => {
    // Google answers 403 in an app's own browser: https://developers.google.com/identity/protocols/oauth2/policies
    if (ownInAppPlatform()) return setRefused(true);
    if (storageAllowed()) start();
    const redraw = () => google.current?.redraw();
    const sizes = 'ResizeObserver' in globalThis ? new ResizeObserver(redraw) : null;
    if (box.current) sizes?.observe(box.current);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.onchange = redraw;
    return () => {
      google.current?.stop();
      sizes?.disconnect();
      dark.onchange = null;
    };
  });
  const tap = () => {
    if (pending) return;
    if (!google.current) start();
    explain(state, text);
    if (state === 'unavailable' || state === 'uninitialized') google.current?.again();
  };
  return { state, pending, isRefused, box, placeholder, tap };
}

/** Where the law requires consent, Google's script loads only after a tap on our placeholder button. */
export default function GoogleButton(props: Props) {
  const { text } = props;
  const { state, pending, isRefused, box, placeholder, tap } = useGoogle(props);
  if (isRefused) {
    return (
      <div className={styles.social}>
        <OrDivider>{text.or}</OrDivider>
        <p className={`note middle ${styles.box}`}>{text.in_app}</p>
      </div>
    );
  }
  return (
    <div className={styles.social}>
      <OrDivider>{text.or}</OrDivider>
      <div className={styles.box} data-google={pending ? 'pending' : state}>
        <div ref={box} className={styles.theirs} />
        <button
          ref={placeholder}
          className={styles.own}
          type="button"
          aria-disabled={pending || undefined}
          aria-busy={pending || undefined}
          onClick={tap}
        >
          {pending ? <Spinner /> : <GoogleLogo />}
          <span>{text.button}</span>
        </button>
      </div>
    </div>
  );
}
